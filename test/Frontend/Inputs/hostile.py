"""Writes sources that no person would: one a file, into DIR.

usage: hostile.py DIR
"""

import os
import random
import sys


def sources():
    yield b""
    yield b"\x00\xff\xfe kernel"
    yield b"kernel k() {" + b" let x = " + b"(" * 100000
    yield b"kernel k(n: i32) { let x = " + b"-" * 100000 + b"n }"
    yield b"kernel k(n: i32) { let x = " + b"not " * 100000 + b"n }"
    yield b"kernel k(n: i32) { let x = n" + b" + n" * 100000 + b" }"
    yield b"kernel k(n: i32) { let x = n" + b" as i64" * 100000 + b" }"
    yield b"kernel k(n: i32) { let x = n" + b"[:]" * 100000 + b" }"
    yield b"kernel k(n: i32) { " + b"for i in 0..n { " * 100000
    yield b"kernel k(n: i32) { " + b"if n < 4 { " * 100000
    yield b"kernel k(n: i32) { if n < 4 {} " + b"else if n < 4 {} " * 100000 + b"}"
    yield b"kernel k(a: [M] f32) { let x = " + b"a[" * 100000
    yield b"kernel k(n: i32) { let x = " + b"min(n, " * 100000
    yield b"kernel k() { let x = " + b"zeros<f32>[" * 100000
    yield b"kernel k() { let x = 99999999999999999999 1e99999 }"
    yield b"kernel k<A = -9223372036854775807 - 1, B = A / -1, C = -A>() {}"
    yield b"kernel k(x: i1) { let y = x + 3 let z = -x let w = x / x }"
    arrange = b"kernel k(x: [M] f32) arrange { x = x"
    yield arrange + b".tile(1)" * 100000 + b" } {}"
    yield arrange + b".tile(2)" * 150 + b" } {}"
    yield arrange + b".flatten().tile(3)" * 90 + b" } {}"
    yield arrange + b".unsqueeze(0).expand(x.shape[1] * x.shape[1], -1)" * 90 + b".tile(1) } {}"
    yield arrange + b".inner(" + b"inner(" * 100000
    yield arrange + b".tile(9223372036854775807).tile(9223372036854775807) } { x = x }"
    yield b"kernel k() {} run k() { a = " + b"(" * 100000
    yield b"kernel k() {} run k(" + b"n = 1, " * 100000 + b") {}"
    yield b"kernel k() {} run k() { a = ones<f32>[" + b"1, " * 100000
    yield b"kernel k() {} tune k { where " + b"not " * 100000
    yield b"kernel k() {} " + b"run k() {} tune k {} " * 20000
    yield b"kernel k(n: i32) grid n * 9223372036854775807 * 9223372036854775807 {}"
    yield b"fn f(x) { return " + b"f(" * 100000
    yield b'kernel k() { assert(true, "' + b"a" * 100000
    yield b"@allow(" * 100000
    for word in (
        b"if n ", b"else ", b"else if n ", b"loop { ", b"kernel k() { ", b"run k( ", b"x := ",
        b"let x = if n { ", b"x = (f32) ", b"(f32)", b"lambda ", b"[i for ", b"'", b"` ", b"int ",
        b"full[4](", b"max<f32>(", b"let (", b"x: [", b"for i = ", b"for i in 0:n, ", b"return ",
        b"if n = ", b"match n { ", b"\xef\xbc\x88", b"\r",
    ):
        yield b"kernel k(n: i32) { " + word * 100000
        yield b"kernel k(n: i32) {\n" + (word + b"\n") * 20000
    yield b"kernel k() { " + b"while true { " * 100000
    yield b"kernel k() { " + b"static if true { " * 100000
    yield b"kernel k() { static if true { } " + b"else if true { } " * 100000
    yield b"fn f(x) { return g(x) + g(x) } fn g(x) { return f(x) + f(x) } kernel k(x: f32) { let y = f(x) }"
    yield b"fn f(x) { let y = reduce(x, 0, f) return y } kernel k() { let y = f(arange(4)) }"
    yield b"fn f(a, b) { return reduce(arange(4), 0, f) } kernel k() { let y = f(1, 2) }"
    yield b'kernel k() { static for i in 0..1000 { static for j in 0..1000 { print("a", i) } } }'
    yield b"kernel k<A = 1 << 62 << 1, B = -1 >> 63, C = 1 << 64>() {}"
    yield b"kernel k<A = 1 - 9223372036854775807 - 2>() { let x = abs(A) let y = A / -1 let z = -A }"
    yield b"kernel k() { let x = inf - inf let y = nan as i32 let z = inf as f8e4m3 let w = 1e300 as f16 }"
    yield b"kernel k(p: *f32) { @require(tma) @allow(tf32) if true { @require(wgmma) store(p, 0) } else { } }"
    seed = open(os.path.join(sys.argv[2]), "rb").read()
    chance = random.Random(7)
    words = seed.replace(b"(", b" ( ").replace(b",", b" , ").split(b" ")
    for _ in range(int(sys.argv[3])):
        mutant = list(words)
        for _ in range(chance.randint(1, 4)):
            i, j = chance.randrange(len(mutant)), chance.randrange(len(words))
            if chance.random() < 0.3:
                del mutant[i]
            else:
                mutant[i] = words[j]
        yield b" ".join(mutant)


for number, source in enumerate(sources()):
    with open(os.path.join(sys.argv[1], "%04d.tile" % number), "wb") as file:
        file.write(source)
