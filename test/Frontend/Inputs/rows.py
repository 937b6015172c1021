"""What the kernels of rows-and-planes.tile leave, by plain loops over lists."""


def layer_norm_backward(x, dy, w, mean, rstd):
    """dx, then dw: the gradients where y = (x - mean) * rstd * w."""
    columns = len(w)
    dx, dw = [], [0.0] * columns
    for row, (m, r) in enumerate(zip(mean, rstd)):
        at = slice(row * columns, (row + 1) * columns)
        normal = [(value - m) * r for value in x[at]]
        scaled = [g * factor for g, factor in zip(dy[at], w)]
        along = sum(a * b for a, b in zip(normal, scaled)) / columns
        shift = sum(scaled) / columns
        dx += [(s - (n * along + shift)) * r for s, n in zip(scaled, normal)]
        dw = [old + g * n for old, g, n in zip(dw, dy[at], normal)]
    return dx, dw


def greatest(x, columns, count):
    """The greatest of each row, then their places, the first of equals first."""
    values, places = [], []
    for begin in range(0, len(x), columns):
        row = x[begin : begin + columns]
        order = sorted(range(columns), key=lambda j: (-row[j], j))[:count]
        places += order
        values += [row[j] for j in order]
    return values, places


def stencil(a, height, width):
    """The mean of five inside, the value itself on the border."""

    def at(i, j):
        if i in (0, height - 1) or j in (0, width - 1):
            return a[i * width + j]
        near = [(i, j), (i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)]
        return sum(a[p * width + q] for p, q in near) / 5

    return [at(i, j) for i in range(height) for j in range(width)]
