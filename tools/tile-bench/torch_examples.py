"""Softmax and attention of PyTorch: what triton_matmul.py, beside this file, times
beside the examples of `tile-bench suite`.

Each function gives contenders (name, launch, function that gives the output), the
right values of some rows of the output with the rows' places, and the operations
and bytes of one launch.
"""
import torch

GENERATOR_SEED = 7


def random(*shape):
    generator = torch.Generator(device="cuda").manual_seed(GENERATOR_SEED + len(shape))
    return torch.randn(*shape, device="cuda", generator=generator).half()


def softmax(name):
    """softmax f16 ROWSxCOLUMNS, and a copy of as many bytes."""
    rows, columns = map(int, name.split()[2].split("x"))
    x = random(rows, columns)
    y, z = torch.empty_like(x), torch.empty_like(x)
    places = torch.arange(0, rows, max(1, rows // 64), device="cuda")
    right = torch.softmax(x[places].double(), -1)
    contenders = [("PyTorch", lambda: torch.softmax(x, -1, out=y), lambda: y),
                  ("copy", lambda: z.copy_(x), None)]
    return contenders, places, right, 0.0, 2.0 * x.nbytes


def attention(name):
    """attention f16 bBATCHES hHEADS sLENGTH dDEPTH, without a mask."""
    batches, heads, length, depth = (int(part[1:]) for part in name.split()[2:])
    q, k, v = random(3, batches, heads, length, depth)
    last = []

    def launch():
        last[:] = [torch.nn.functional.scaled_dot_product_attention(q, k, v)]

    # The first head.
    scores = q[0, 0].double() @ k[0, 0].double().t() / depth ** 0.5
    right = torch.softmax(scores, -1) @ v[0, 0].double()
    places = torch.arange(length, device="cuda")
    contenders = [("PyTorch", launch, lambda: last[0].view(-1, depth))]
    flops = 4.0 * batches * heads * length * length * depth
    return contenders, places, right, flops, 4.0 * q.nbytes


EXAMPLES = {"softmax": softmax, "attention": attention}


def is_example(name):
    return name.split()[0] in EXAMPLES


def prepare(name):
    """The contenders as (name, launch), their errors, operations and bytes."""
    contenders, places, right, flops, nbytes = EXAMPLES[name.split()[0]](name)
    entries, errors = [], {}
    for contender, launch, output in contenders:
        launch()
        torch.cuda.synchronize()
        errors[contender] = 0.0
        if output:
            error = float((output()[places].double() - right).norm() / right.norm())
            if not error < 1e-2:
                print("  %s: wrong, error %g" % (contender, error))
                continue
            errors[contender] = error
        entries.append((contender, launch))
    return entries, errors, flops, nbytes
