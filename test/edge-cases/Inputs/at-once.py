"""at-once.py NUMBER: a kernel that loads so many tiles and multiplies them afterwards."""

import sys

numbers = range(int(sys.argv[1]))
print("""kernel squares(a: *f16, c: *f32) grid 1 {
  let at = arange(32)[:, None] * 32 + arange(32)[None, :]
  var acc = zeros<f32>[32, 32]""")
for i in numbers:
    print("  let x%d = load(a + %d + at)" % (i, i * 1024))
for i in numbers:
    print("  acc = dot(x%d, x%d, acc)" % (i, i))
print("""  store(c + at, acc)
}""")
