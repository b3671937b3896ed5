"""Writes generators-fuzz.json: random calls of numpy.random.Generator and random.Random, with their answers.

pip install numpy==2.4.6; python make-generators-fuzz.py > generators-fuzz.json   (CPython 3.11)
"""
import json, random
import numpy as np

meta = random.Random(20250101)
SEEDS = [0, 1, 2**32 - 1, 2**32, 2**53 - 1, 2**64, 2**127, 2**128 - 1, 2**128, 2**300 + 12345]
DTYPES = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
SAFE = 2**53 - 1

def count():
    b = meta.choice([1, 2, 3, 5, 8, 15, 16, 17, 31, 32, 33, 40, 52])
    return meta.choice([2**b, 2**b - 1, 2**b + 1, meta.getrandbits(b) + 1])

def weights(n):
    p = np.array([meta.random() if meta.random() < 0.8 else 0.0 for _ in range(n)])
    p[meta.randrange(n)] += 0.1
    return p / p.sum()

def numpy_call(g):
    op = meta.choice(["random", "uniform", "normal", "exponential", "geometric", "integersBig", "integers", "integersArray",
                      "choice", "permutation", "getState"])
    if op == "random": return op, [], g.random()
    if op == "uniform":
        low = meta.uniform(-100, 100); a = [low, low + meta.uniform(0, 50)]; return op, a, g.uniform(*a)
    if op == "normal": a = [meta.uniform(-5, 5), meta.uniform(0, 3), 20]; return op, a, g.normal(*a).tolist()
    if op == "exponential": a = [meta.uniform(0, 3), 20]; return op, a, g.exponential(*a).tolist()
    if op == "geometric": a = [meta.choice([0.25, 0.1, 0.01, 0.3])]; return op, a, int(g.geometric(*a))
    if op == "integersBig":
        n = meta.choice([2**64, 2**64 - 1, 2**63 + 5, 2**60 + 3, meta.getrandbits(64) + 1, count()])
        if n < 2**63: low = meta.choice([0, -5, -n // 2]); return op, [str(low), str(low + n)], str(g.integers(low, low + n))
        return op, ["0", str(n)], str(g.integers(0, n, dtype=np.uint64))
    if op == "integers": n = min(count(), SAFE); low = meta.choice([0, -n // 2, -n]); return op, [low, low + n], int(g.integers(low, low + n))
    if op == "integersArray":
        dtype = meta.choice(DTYPES)
        least, most = (0, 1) if dtype == "bool" else (max(np.iinfo(dtype).min, -SAFE), min(int(np.iinfo(dtype).max), SAFE - 1))
        least, most = int(least), int(most)
        low = meta.choice([least // 2, 0, meta.randint(least // 2, most // 2)])
        high = meta.choice([low, most, meta.randint(low, most), min(most, low + meta.randint(0, 9))]) + 1
        if high - low > SAFE: low = 0
        k = meta.randint(0, 9)
        return op, [low, high, k, dtype], [int(x) for x in g.integers(low, high, size=k, dtype=dtype)]
    if op == "choice":
        n = meta.choice([1, 5, 200, 10001]) if meta.random() < 0.3 else meta.randint(1, 30)
        p = weights(n) if n <= 200 and meta.random() < 0.5 else None
        replace = meta.random() < 0.5
        most = 20 if replace else min(n if p is None else int((p > 0).sum()), 250)
        k = most if n == 10001 else meta.randint(0, min(most, 20))
        return op, [n, k, replace, None if p is None else p.tolist()], g.choice(n, size=k, replace=replace, p=p).tolist()
    if op == "permutation": a = [meta.choice([0, 1, 2, 10, 40])]; return op, a, g.permutation(*a).tolist()
    s = g.bit_generator.state
    return op, [], {"state": "%032x" % s["state"]["state"], "inc": "%032x" % s["state"]["inc"],
                    "hasUint32": bool(s["has_uint32"]), "uinteger": s["uinteger"]}

def python_call(g):
    op = meta.choice(["random", "uniform", "getrandbitsBig", "getrandbits", "belowBig", "below", "randint", "choices", "sample", "shuffle"])
    if op == "random": return op, [], g.random()
    if op == "uniform": a = [meta.uniform(-9, 9), meta.uniform(-9, 9)]; return op, a, g.uniform(*a)
    if op == "getrandbitsBig": a = [meta.choice([0, 1, 31, 32, 33, 53, 54, 64, 65, 200])]; return op, a, str(g.getrandbits(*a))
    if op == "getrandbits": a = [meta.randint(0, 53)]; return op, a, g.getrandbits(*a)
    if op == "belowBig": n = meta.getrandbits(meta.choice([1, 8, 32, 53, 64, 100])) + 1; return op, [str(n)], str(g._randbelow(n))
    if op == "below": n = min(count(), 2**53); return op, [n], g._randbelow(n)
    if op == "randint": x = meta.randint(-SAFE, SAFE); a = [x, meta.randint(x, min(SAFE, x + meta.choice([1, 10, 2**40, 2**54])))]; return op, a, g.randint(*a)
    if op == "choices":
        n = meta.randint(1, 9); w = [meta.random() for _ in range(n)] if meta.random() < 0.5 else None
        return op, [n, 5, w], g.choices(range(n), weights=w, k=5)
    if op == "sample":
        n = meta.choice([0, 1, 5, 20, 21, 22, 60, 85, 86, 277, 278, 1000, 10**6, 2**40]); k = meta.randint(0, min(n, meta.choice([2, 5, 6, 30])))
        return op, [n, k], g.sample(range(n), k)
    n = meta.choice([0, 1, 2, 40]); x = list(range(n)); g.shuffle(x)
    return op, [n], x

def run(make, call):
    rows = []
    for seed in SEEDS:
        g = make(seed)
        rows.append({"seed": str(seed), "calls": [call(g) for _ in range(60)]})
    return rows

spawned = np.random.SeedSequence(42).spawn(2)
tree = [s.generate_state(4).tolist() for s in [*spawned, spawned[1].spawn(1)[0], np.random.SeedSequence(2**130, spawn_key=(3,))]]
lists = [[e, np.random.SeedSequence(e).generate_state(4).tolist()] for e in ([1, 2], [0], [2**32, 5, 0])]
print(json.dumps({"numpy": np.__version__, "generator": run(np.random.default_rng, numpy_call), "random": run(random.Random, python_call),
                  "spawn42_0_1_10_and_key3": tree, "lists": lists}, separators=(",", ":")))
