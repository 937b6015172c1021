# How lit runs the tests under this folder; docs/Testing.md describes it.

import ctypes
import glob
import os
import shutil
import sys

import lit.formats

config.name = "tile"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".tile", ".test"]
# Folders that hold no lit tests: inputs of tests, C++ sources.
config.excludes = ["Inputs", "corpus", "lib", "unit"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.tile_binary_dir, "test")

tool_dirs = sorted(glob.glob(os.path.join(config.tile_binary_dir, "tools", "*")))
path = [d for d in tool_dirs if os.path.isdir(d) and not d.endswith("CMakeFiles")]
path += [config.llvm_tools_dir, config.environment.get("PATH", "")]
config.environment["PATH"] = os.pathsep.join(path)

config.substitutions.append(("%python", sys.executable))
config.substitutions.append(("%cc", config.tile_c_compiler))
config.substitutions.append(("%tile_src", config.tile_source_dir))
config.substitutions.append(("%tile_build", config.tile_binary_dir))


def cuda_capability():
    """Ten times the compute capability of the first device that the CUDA driver
    finds; 0 where there is no driver or no device."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return 0
    count, major, minor = ctypes.c_int(0), ctypes.c_int(0), ctypes.c_int(0)
    if driver.cuInit(0) != 0 or driver.cuDeviceGetCount(ctypes.byref(count)) != 0:
        return 0
    if count.value == 0:
        return 0
    # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR and _MINOR.
    driver.cuDeviceGetAttribute(ctypes.byref(major), 75, 0)
    driver.cuDeviceGetAttribute(ctypes.byref(minor), 76, 0)
    return 10 * major.value + minor.value


# A test that REQUIRES a feature which is absent is UNSUPPORTED, never passed.
if shutil.which("ptxas", path=config.environment["PATH"]):
    config.available_features.add("ptxas")
capability = cuda_capability()
if capability > 0:
    config.available_features.add("gpu")
    config.environment["TILE_TEST_GPU"] = "1"
if capability == 90:
    config.available_features.add("gpu-sm90")
# `--param gpu-check=memcheck` runs every tile-run under that tool of
# compute-sanitizer.
gpu_check = lit_config.params.get("gpu-check")
if gpu_check:
    config.available_features.add("gpu-check")
    path = config.environment["PATH"]
    config.environment["TILE_GPU_CHECK"] = gpu_check
    config.environment["TILE_RUN"] = shutil.which("tile-run", path=path)
    checked = os.path.join(config.test_source_root, "Inputs", "checked")
    config.environment["PATH"] = checked + os.pathsep + path
if config.tile_sanitizer:
    config.available_features.add("sanitizer")
