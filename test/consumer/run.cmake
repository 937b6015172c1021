# Installs this build, builds the project beside this file against the installed
# tree with its own configuration, and runs what comes out.
#
#   cmake -DBUILD=... -DSOURCE=... -DWORK=... -DC=... -DCXX=... -DREADELF=...
#         -P run.cmake

# run(NAME OUT command...): stops the test where the command fails.
function(run name out)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code
    OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${name} failed (${code}):\n${output}")
  endif()
  set(${out} "${output}" PARENT_SCOPE)
endfunction()

# expect(TEXT PATTERN): stops the test where the text does not match.
function(expect text pattern)
  if(NOT text MATCHES "${pattern}")
    message(FATAL_ERROR "expected '${pattern}', got:\n${text}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
set(prefix ${WORK}/prefix)
run(install out ${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})

# No tools are linked here, so no optimisation: this is about the package.
run(configure out ${CMAKE_COMMAND} -G Ninja -S ${SOURCE} -B ${WORK}/build
  -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_C_COMPILER=${C}
  -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld)
run(build out ${CMAKE_COMMAND} --build ${WORK}/build)

run(compile out ${WORK}/build/compile ${WORK}/scale.json)
message("${out}")
expect("${out}" "kernel scale, grid ")
expect("${out}" "caught given.mlir:4:10: 'tile.load' op ")
run(launch out ${WORK}/build/launch ${WORK}/scale.json)
message("${out}")
expect("${out}" "would launch .* on a grid of 8\n")
expect("${out}" "refused: ")
expect("${out}" "compiled from [0-9a-f]+ by [0-9.]+ with LLVM ")
expect("${out}" "fastest with warps=8\n.*not tuned: expected an entry for the shapes")

# One copy of LLVM: the archives, not the shared libraries as well; and the
# launcher has nothing of MLIR in it.
run(readelf out ${READELF} --dynamic ${WORK}/build/compile ${WORK}/build/launch)
if(out MATCHES "lib(LLVM|MLIR)")
  message(FATAL_ERROR "expected static LLVM and MLIR, got:\n${out}")
endif()
file(SIZE ${WORK}/build/launch bytes)
if(bytes GREATER 8000000)
  message(FATAL_ERROR "expected a launcher of at most 8 MB, got ${bytes} bytes")
endif()

# The tools work from where they were installed.
run(tile-gen out ${prefix}/bin/tile-gen matmul -o ${WORK}/matmul.mlir)
run(tilec out ${prefix}/bin/tilec ${WORK}/matmul.mlir --arch=sm_80 --emit=ptx -o -)
expect("${out}" "\n.visible .entry matmul")
