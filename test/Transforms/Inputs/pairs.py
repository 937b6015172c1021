"""pairs.py N...: times tile-gpu-insert-barriers on kernels of N writes and reads of a slot.

Each access needs a barrier before it but the first.  A step of N by f may make the
time (beyond 50 ms) at most 3 f times as long.
"""

import subprocess
import sys
import time

HEAD = """
#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>
tile.kernel @pairs(%x: f32) {
  %t = tile.splat %x : tensor<16x8xf32>
  %a = tile_gpu.alloc {offset = 0 : i64} : !tile_gpu.buffer<1x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
"""
PAIR = """
  tile_gpu.local_store %t, %a[%c] : tensor<16x8xf32>, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  tile_gpu.local_load %a[%c] : !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1> -> tensor<16x8xf32>
"""

last = None
for count in map(int, sys.argv[1:]):
    start = time.monotonic()
    text = subprocess.run(["tile-opt", "--tile-gpu-insert-barriers", "-"],
                          input=HEAD + PAIR * count + "  tile.return\n}\n",
                          check=True, capture_output=True, text=True).stdout
    seconds = max(time.monotonic() - start, 0.05)
    barriers = text.count("tile_gpu.barrier")
    if barriers != 2 * count - 1:
        sys.exit("expected %d barriers, got %d" % (2 * count - 1, barriers))
    if last and seconds > 3 * count / last[0] * last[1]:
        sys.exit("%g seconds for %d pairs, %g for %d" % (*reversed(last), seconds, count))
    last = count, seconds
print("grows no faster")
