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
    yield b"kernel k(n: i32) grid n * 9223372036854775807 * 9223372036854775807 {}"
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
