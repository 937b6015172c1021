"""deep.py KIND N: prints IR or JSON that nests N deep in one way, or only looks like it."""
import sys

kind, n = sys.argv[1], int(sys.argv[2])
if kind == "modules":
    print("module {" * n + "}" * n)
elif kind == "arrays":
    print("module attributes {x.y = " + "[" * n + "]" * n + "} {}")
elif kind == "minus":
    print("module attributes {x.y = affine_map<(d0) -> (" + "-" * n + "d0)>} {}")
elif kind == "plus":
    print("module attributes {x.y = affine_map<(d0) -> (d0" + " + d0" * n + ")>} {}")
elif kind == "aliases":
    print("#a0 = [1]")
    for i in range(1, n):
        print(f"#a{i} = [#a{i - 1}]")
    print(f"module attributes {{x.y = #a{n - 1}}} {{}}")
elif kind == "locations":
    print('#l0 = loc("a")')
    for i in range(1, n):
        print(f'#l{i} = loc(callsite("b" at #l{i - 1}))')
    print(f"module {{}} loc(#l{n - 1})")
elif kind == "loops":
    print("tile.kernel @k(%p: !tile.ptr<f32>, %n: i32) grid affine_map<() -> (1)> {")
    print("%zero = arith.constant 0 : i32 %one = arith.constant 1 : i32")
    print("%i = tile.iota : tensor<32xi32> %x = arith.constant dense<1.0> : tensor<32xf32>")
    for i in range(n):
        print(f"scf.for %i{i} = %zero to %n step %one : i32 {{")
    print("tile.store %p[%i], %x : !tile.ptr<f32>, tensor<32xi32>, tensor<32xf32>")
    print("}" * n + "tile.return }")
elif kind == "whiles":
    print("tile.kernel @k(%p: !tile.ptr<f32>, %c: i1) grid affine_map<() -> (1)> {")
    print("%i = tile.iota : tensor<32xi32> %x = arith.constant dense<1.0> : tensor<32xf32>")
    print("scf.while : () -> () { scf.condition(%c) } do {" * n)
    print("tile.store %p[%i], %x : !tile.ptr<f32>, tensor<32xi32>, tensor<32xf32>")
    print("scf.yield }" * n + "tile.return }")
elif kind == "json":
    print('{"]": "\\"[",\n"entries": ' + "[" * n + "]" * n + "}")
elif kind == "flat":
    # Many brackets, strings and comments, none of them deep.
    print('#a = [1, [2]]\nmodule attributes {x.y = [' + ", ".join(["[#a, (i32) -> i32]"] * n) + "],")
    print('x.z = "' + "[" * n + '"} {}  // ' + "[" * n)
    print("#m = affine_map<(d0, d1) -> (" + ", ".join(["d0 + d1"] * n) + ")>")
    print("#s = affine_set<(d0) : (" + ", ".join(["d0 - 1 >= 0"] * n) + ")>")
