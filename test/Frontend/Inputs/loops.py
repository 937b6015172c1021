"""What the kernel of loops.tile leaves, by Python's own break and continue."""

def first(x, limit):
    place = -1
    for i, value in enumerate(x):
        if value > limit:
            place = i
            break
    return place


def odd():
    count = total = 0
    for j in range(100):
        if j % 2 == 0:
            continue
        if j % 3 == 0:
            if j > 0:
                continue
        elif j == 5:
            continue
        total += j
        count += 1
        if count == 7:
            break
    return [total, count]


def pairs():
    found = 0
    for a in range(10):
        if a == 7:
            break
        for b in range(10):
            if b == a:
                break
            if b % 2 == 1:
                continue
            found += 1
        if a == 2:
            continue
        found += 100
    return found


def steps(limit):
    taken = 0
    for k in range(8):
        if k == 2:
            continue
        if k == limit:
            break
        taken += 1
    return taken


def place(x):
    at = 0
    while x[at] != 5:
        at += 1
        if at == len(x):
            break
    return at


def expected(x, limit):
    return [first(x, limit), first(x, limit)] + odd() + [pairs(), steps(limit), place(x)]


def pair(x, total):
    out = [-1, 0, 0, 0, 0, 0]
    for i in range(len(x)):
        if x[i] < 0:
            continue
        for j in range(i + 1, len(x)):
            if x[i] + x[j] == total:
                out[0:2] = [i, j]
                return out
        out[2] += 1
    n = 0
    while n < 10:
        n += 1
        if n == 5:
            if total > 1000:
                out[3] = n
                return out
            out[4] = n
    out[5] = n
    return out
