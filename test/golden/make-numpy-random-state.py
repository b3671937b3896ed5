"""Writes numpy-random-state.json: random calls of numpy.random.RandomState, with their answers.

pip install numpy==2.4.6; python make-numpy-random-state.py > numpy-random-state.json
"""
import json, random
import numpy as np

meta = random.Random(20261126)
SEEDS = [0, 1, 7, 123456789, 2**31 - 1, 2**32 - 1]
SAFE = 2**53 - 1

def count():
    b = meta.choice([1, 2, 3, 5, 8, 16, 17, 31, 32, 33, 40, 52])
    return min(meta.choice([2**b, 2**b - 1, 2**b + 1, meta.getrandbits(b) + 1]), SAFE)

def weights(n):
    p = np.array([meta.random() if meta.random() < 0.8 else 0.0 for _ in range(n)])
    p[meta.randrange(n)] += 0.1
    return p / p.sum()

def call(g):
    op = meta.choice(["random", "uniform", "normal", "randint", "randints", "choice", "permutation", "shuffle"])
    if op == "random": return op, [], g.random_sample()
    if op == "uniform": a = [meta.uniform(-9, 9), meta.uniform(-9, 9)]; return op, a, g.uniform(*a)
    if op == "normal": a = [meta.uniform(-5, 5), meta.uniform(0, 3)]; return op, a, g.normal(*a)
    if op == "randint": n = count(); low = meta.choice([0, -n // 2, -n]); return op, [low, low + n], int(g.randint(low, low + n))
    if op == "randints":
        n = count(); low = meta.choice([0, -n // 2]); k = meta.randint(0, 6)
        return op, [low, low + n, k], [int(x) for x in g.randint(low, low + n, size=k)]
    if op == "choice":
        n = meta.randint(1, 30)
        p = weights(n) if meta.random() < 0.5 else None
        replace = meta.random() < 0.5
        k = meta.randint(0, 20 if replace else n if p is None else int((p > 0).sum()))
        return op, [n, k, replace, None if p is None else p.tolist()], g.choice(n, size=k, replace=replace, p=p).tolist()
    if op == "permutation": a = [meta.choice([0, 1, 2, 10, 40])]; return op, a, g.permutation(*a).tolist()
    items = list(range(meta.choice([0, 1, 3, 9]))); n = len(items); g.shuffle(items); return op, [n], items

answers = []
for seed in SEEDS:
    g = np.random.RandomState(seed)
    calls = [call(g) for _ in range(250)]
    _, words, index, has_gauss, gauss = g.get_state()
    answers.append({"seed": seed, "calls": calls, "index": int(index), "words": [int(words[0]), int(words[623])],
                    "gauss": float(gauss) if has_gauss else None})
print(json.dumps({"numpy": np.__version__, "runs": answers}, separators=(",", ":")))
