"""What the sweeps of functions have alike: places of 1024 elements a program, results
of a run, and a line of report.  Kernels are formatted, hence the %%."""
import struct

PLACES = """  %%pid = tile.program_id x
  %%side = arith.constant 1024 : i32
  %%first = arith.muli %%pid, %%side overflow<nsw> : i32
  %%firsts = tile.splat %%first : tensor<1024xi32>
  %%steps = tile.iota : tensor<1024xi32>
  %%i = arith.addi %%firsts, %%steps overflow<nsw> : tensor<1024xi32>
  %%true = arith.constant dense<true> : tensor<1024xi1>
"""


def elements(path, form, count):
    """Those of a .npy file, by their format for struct."""
    with open(path, "rb") as file:
        data = file.read()
    first = 10 + struct.unpack("<H", data[8:10])[0]
    assert len(data) == first + count * struct.calcsize(form)
    return [value for value, in struct.iter_unpack(form, data[first:])]


def report(function, worst, limit, operands):
    print("%s: %s, %.3f ulp at %s" % (
        function, "ok" if worst <= limit else "wrong", worst,
        ", ".join(float(x).hex() for x in operands)))
