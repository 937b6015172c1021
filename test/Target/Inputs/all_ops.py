"""all_ops.py [exact]: a program with a kernel for each type of elements, and one more
for scalars of it, that applies to such operands every op of arith and math that takes
them.  Operands are bits of a row of i64, times an odd number; results go to an array
for each of their types, a NaN as 0 and a word.  `exact`: of floats only what IEEE 754
says to the last bit."""
import sys

INTEGERS = "i1 i8 i16 i32 i64 index".split()
FLOATS = "f8E4M3FN f8E5M2 f16 bf16 f32 f64".split()
STORED = INTEGERS[:-1] + FLOATS
BITS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "index": 64,
        "f8E4M3FN": 8, "f8E5M2": 8, "f16": 16, "bf16": 16, "f32": 32, "f64": 64}
WRAPPING = "addi subi muli andi ori xori maxsi maxui minsi minui".split()
SHIFTS = "shli shrsi shrui".split()
DIVISIONS = "divui divsi ceildivsi ceildivui floordivsi remsi remui".split()
SUMS = "addf subf mulf divf remf maximumf minimumf maxnumf minnumf".split()
UNARY = ("absf acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 "
         "expm1 floor log log10 log1p log2 round roundeven rsqrt sin sinh sqrt tan tanh "
         "trunc".split())
EXACT = "absf ceil floor round roundeven sqrt trunc".split()
QUESTIONS = "isfinite isinf isnan isnormal".split()
MODES = "to_nearest_even to_nearest_away upward downward toward_zero".split()


def casts(t):
    """Of what is to be cast, and to what."""
    for u in INTEGERS + FLOATS:
        both_index = (t == "index") != (u == "index")
        if t in INTEGERS and u in INTEGERS:
            if both_index:
                yield from (("arith.index_cast", u), ("arith.index_castui", u))
            elif BITS[t] < BITS[u]:
                yield from (("arith.extsi", u), ("arith.extui", u))
            elif BITS[t] > BITS[u]:
                yield "arith.trunci", u
        elif t in FLOATS and u in FLOATS:
            if BITS[t] < BITS[u]:
                yield "arith.extf", u
            elif BITS[t] > BITS[u]:
                yield "arith.truncf", u
            elif t != u:
                yield "arith.bitcast", u
        elif t in INTEGERS and t != "index":
            yield from (("arith.sitofp", u), ("arith.uitofp", u))
        elif t in FLOATS and u != "index":
            yield from (("arith.fptosi", u), ("arith.fptoui", u))
        if (t in INTEGERS) != (u in INTEGERS) and BITS[t] == BITS[u] and not both_index:
            yield "arith.bitcast", u


def ops(t):
    """Texts of operations, in which T is the type, and the types of results."""
    if t in INTEGERS:
        for op in WRAPPING:
            yield "arith.%s %%a, %%b : T" % op, [t]
        for op in SHIFTS:
            yield "arith.%s %%a, %%count : T" % op, [t]
        for op in DIVISIONS:
            yield "arith.%s %%half, %%odd : T" % op, [t]
        yield "arith.addui_extended %a, %b : T, I1", [t, "i1"]
        for op in ("mului_extended", "mulsi_extended"):
            yield "arith.%s %%a, %%b : T" % op, [t, t]
        yield "arith.cmpi slt, %a, %b : T", ["i1"]
        for op in ("absi", "ctlz", "cttz", "ctpop"):
            yield "math.%s %%a : T" % op, [t]
        yield "math.ipowi %a, %b : T", [t]
    else:
        for op in SUMS:
            yield "arith.%s %%a, %%b : T" % op, [t]
        for op in EXACT if IS_EXACT else UNARY:
            yield "math.%s %%a : T" % op, [t]
        for op in QUESTIONS:
            yield "math.%s %%a : T" % op, ["i1"]
        for op in ("copysign",) if IS_EXACT else ("atan2", "copysign", "powf"):
            yield "math.%s %%a, %%b : T" % op, [t]
        yield "arith.negf %a : T", [t]
        yield "arith.cmpf ult, %a, %b : T", ["i1"]
        yield "math.fma %a, %b, %a : T", [t]
        yield "math.clampf %a to [%b, %a] : T", [t]
        if not IS_EXACT:
            yield "math.sincos %a : T", [t, t]
        for u in () if IS_EXACT else ("i8", "i64"):
            yield "math.fpowi %%a, %%n_%s : T, %s" % (u, u.upper()), [t]
    yield "arith.select %flag, %a, %b : I1, T", [t]
    for op, u in casts(t):
        operand = "a" if not op.startswith("arith.fpto") else (
            "small" if u != "i1" else "unit" if op == "arith.fptoui" else "fraction")
        yield "%s %%%s : T to R" % (op, operand), [u]
        if op == "arith.truncf":
            for mode in MODES:
                yield "%s %%a %s : T to R" % (op, mode), [u]


class Kernel:
    """The text of a kernel of tiles or scalars of one type."""

    def __init__(self, t, is_tile):
        self.is_tile, self.lines, self.rows = is_tile, [], dict.fromkeys(STORED, 0)
        self.add("%i = tile.iota : tensor<128xi32>" if is_tile else
                 "%i = arith.constant 5 : i32")
        self.constant("last", 255, "i32")
        self.add("%%j = arith.subi %%last, %%i : %s" % self.of("i32"))
        self.constant("flag", True, "i1")
        for u in FLOATS:
            self.constant("zero_" + u, 0.0, u)
        self.constant("mix", -7046029254386353131, "i64")
        for name, place in (("a", "i"), ("b", "j")):
            self.load(name, place)
            self.operand(name, t)
        if t in FLOATS:
            self.constant("no", 0, "i64")
            self.add("%%n_i64 = arith.ori %%b_bits, %%no : %s" % self.of("i64"))
            self.add("%%n_i8 = arith.trunci %%b_bits : %s to %s" % (
                self.of("i64"), self.of("i8")))
        if t in INTEGERS:
            self.divisors(t)
        else:
            self.bounded(t)
        for n, (text, results) in enumerate(ops(t)):
            text = text.replace("I64", self.of("i64")).replace("I8", self.of("i8"))
            text = text.replace("I1", self.of("i1")).replace("R", self.of(results[0]))
            text = text.replace(" T", " " + self.of(t))
            names = ["%%r%d_%d" % (n, k) for k in range(len(results))]
            self.add("%s = %s" % (", ".join(names), text))
            for name, u in zip(names, results):
                self.store(name, u)

    def of(self, t):
        return "tensor<128x%s>" % t if self.is_tile else t

    def add(self, line):
        self.lines.append("  " + line)

    def constant(self, name, value, t):
        number = str(value).lower()
        self.add("%%%s = arith.constant %s%s" % (
            name, "dense<%s>" % number if self.is_tile else number,
            "" if t == "i1" and not self.is_tile else " : " + self.of(t)))

    def load(self, name, place):
        mask = " mask %flag" if self.is_tile else ""
        self.add("%%%s_loaded = tile.load %%x[%%%s]%s : !tile.ptr<i64>, %s -> %s" % (
            name, place, mask, self.of("i32"), self.of("i64")))
        self.add("%%%s_bits = arith.muli %%%s_loaded, %%mix : %s" % (
            name, name, self.of("i64")))

    def operand(self, name, t):
        """The lowest bits as a value of the type."""
        narrow, bits = "%" + name + "_bits", "i%d" % BITS[t]
        if bits != "i64":
            self.add("%%%s_low = arith.trunci %s : %s to %s" % (
                name, narrow, self.of("i64"), self.of(bits)))
            narrow = "%" + name + "_low"
        cast = ("arith.index_cast" if t == "index" else "arith.bitcast")
        self.add("%%%s = %s %s : %s to %s" % (
            name, cast, narrow, self.of(bits), self.of(t)))

    def divisors(self, t):
        """What divides without overflow, and shifts by less than the width."""
        t_of = self.of(t)
        self.constant("one", True if t == "i1" else 1, t)
        self.constant("zero", False if t == "i1" else 0, t)
        self.constant("most", False if t == "i1" else BITS[t] - 1, t)
        self.add("%%odd = arith.ori %%b, %%one : %s" % t_of)
        self.add("%%half = arith.%s : %s" % (
            "andi %a, %zero" if t == "i1" else "shrui %a, %one", t_of))
        self.add("%%count = arith.andi %%b, %%most : %s" % t_of)

    def bounded(self, t):
        """What integers hold."""
        self.add("%%size = math.absf %%a : %s" % self.of(t))
        for name, limit in (("fraction", 0.5), ("unit", 1.5), ("small", 100.0)):
            self.constant(name + "_limit", limit, t)
            self.add("%%%s = arith.minnumf %%size, %%%s_limit : %s" % (
                name, name, self.of(t)))

    def store(self, name, t):
        if t == "index":
            self.add("%s_wide = arith.index_cast %s : %s to %s" % (
                name, name, self.of("index"), self.of("i64")))
            name, t = name + "_wide", "i64"
        if t in FLOATS:
            self.add("%s_nan = arith.cmpf uno, %s, %s : %s" % (
                name, name, name, self.of(t)))
            self.add("%s_one = arith.select %s_nan, %%zero_%s, %s : %s, %s" % (
                name, name, t, name, self.of("i1"), self.of(t)))
            self.add("%s_is = arith.extui %s_nan : %s to %s" % (
                name, name, self.of("i1"), self.of("i8")))
            self.store(name + "_is", "i8")
            name += "_one"
        row = self.rows[t]
        self.rows[t] += 1
        self.constant("row%s_%d" % (t, row), 128 * row, "i32")
        self.add("%%at%s_%d = arith.addi %%i, %%row%s_%d : %s" % (
            t, row, t, row, self.of("i32")))
        mask = " mask %flag" if self.is_tile else ""
        self.add("tile.store %%y_%s[%%at%s_%d], %s%s : !tile.ptr<%s>, %s, %s" % (
            t, t, row, name, mask, t, self.of("i32"), self.of(t)))

    def text(self, name):
        arguments = ["%x: !tile.ptr<i64>"]
        arguments += ["%%y_%s: !tile.ptr<%s>" % (t, t) for t in STORED]
        return "tile.kernel @%s(%s) {\n%s\n  tile.return\n}\n" % (
            name, ", ".join(arguments), "\n".join(self.lines))


IS_EXACT = "exact" in sys.argv
for element in INTEGERS + FLOATS:
    print(Kernel(element, True).text("tiles_" + element))
    print(Kernel(element, False).text("scalars_" + element))
