"""many-tensors.py: prints a kernel with a run block of 70 tensors, none too large by
itself, that take a terabyte together."""
names = ["p%d" % i for i in range(70)]
print("kernel many<B = 128>(%s) grid 1 {" % ", ".join(n + ": *i8" for n in names))
print("  store(p0 + arange(B), 0 as i8)\n}")
print("tune many { B in [128, 256] }")
print("run many() {")
for name in names:
    print("  %s = zeros<i8>[17000000000]" % name)
print("  expect p0 == 0\n}")
