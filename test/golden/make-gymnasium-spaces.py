"""Writes gymnasium-spaces.json: seeds, samples, flat arrays and batches of the spaces of Gymnasium.

pip install gymnasium==1.4.0 numpy==2.4.6; python make-gymnasium-spaces.py > gymnasium-spaces.json
"""
import json
import numpy as np
import gymnasium
from gymnasium import spaces as S

def plain(x):
    if isinstance(x, S.GraphInstance):
        return {"nodes": [plain(n) for n in x.nodes], "edges": None if x.edges is None else [plain(e) for e in x.edges],
                "edgeLinks": None if x.edge_links is None else x.edge_links.tolist()}
    if isinstance(x, np.ndarray): return x.tolist()
    if isinstance(x, np.generic): return x.item()
    if isinstance(x, (tuple, list)): return [plain(v) for v in x]
    if isinstance(x, dict): return {k: plain(v) for k, v in x.items()}
    return x

def bounds(a, bounded, word):
    flat, ok = a.flatten().tolist(), bounded.flatten().tolist()
    return [v if b else word for v, b in zip(flat, ok)]

def definition(s):
    """The space as `toJSON` of @vlgym/core describes it."""
    if isinstance(s, S.Box):
        return {"type": "box", "dtype": str(s.dtype), "shape": list(s.shape),
                "low": bounds(s.low, s.bounded_below, "-Infinity"), "high": bounds(s.high, s.bounded_above, "Infinity")}
    if isinstance(s, S.Discrete): return {"type": "discrete", "n": int(s.n), "start": int(s.start)}
    if isinstance(s, S.MultiDiscrete):
        return {"type": "multiDiscrete", "counts": s.nvec.flatten().tolist(), "start": s.start.flatten().tolist(), "shape": list(s.shape)}
    if isinstance(s, S.MultiBinary): return {"type": "multiBinary", "shape": list(s.shape)}
    if isinstance(s, S.Text):
        return {"type": "text", "minLength": s.min_length, "maxLength": s.max_length, "charset": "".join(s.character_list)}
    if isinstance(s, S.Tuple): return {"type": "tuple", "spaces": [definition(x) for x in s.spaces]}
    if isinstance(s, S.OneOf): return {"type": "oneOf", "spaces": [definition(x) for x in s.spaces]}
    if isinstance(s, S.Dict): return {"type": "dict", "spaces": {k: definition(x) for k, x in s.spaces.items()}}
    if isinstance(s, S.Sequence): return {"type": "sequence", "element": definition(s.feature_space)}
    if isinstance(s, S.Graph):
        d = {"type": "graph", "nodes": definition(s.node_space)}
        if s.edge_space is not None: d["edges"] = definition(s.edge_space)
        return d
    raise TypeError(s)

inf = np.inf
f64 = lambda *v: np.array(v, dtype=np.float64)
i8 = lambda *v: np.array(v, dtype=np.int8)
SPACES = {
    "box float32": (S.Box(-1, 2.5, (2, 3)), None, None),
    "box mixed bounds": (S.Box(f64(-inf, 0, -inf, -5), f64(inf, inf, 3, 5), dtype=np.float64), None, None),
    "box uint8": (S.Box(0, 255, (2, 2, 3), np.uint8), None, None),
    "box int16 open": (S.Box(-inf, 7, (4,), np.int16), None, None),
    "box int8 open above": (S.Box(-100, inf, (4,), np.int8), None, None),
    "box scalar": (S.Box(0, 1, (), np.float64), None, None),
    "discrete": (S.Discrete(7, start=-3), i8(0, 1, 0, 1, 1, 0, 0), f64(.1, .2, 0, .3, .15, .25, 0)),
    "discrete all masked": (S.Discrete(3, start=5), i8(0, 0, 0), None),
    "discrete one": (S.Discrete(1), i8(1), f64(1)),
    "discrete large": (S.Discrete(2**40), None, None),
    "multiDiscrete": (S.MultiDiscrete([3, 5, 1], start=[0, -2, 4]), (i8(1, 0, 1), i8(0, 0, 0, 0, 0), i8(1)), (f64(.5, 0, .5), f64(.2, .2, .2, .2, .2), f64(1))),
    "multiDiscrete 2d": (S.MultiDiscrete([[3, 5], [2, 9]]), None, None),
    "multiBinary": (S.MultiBinary(6), i8(0, 1, 2, 2, 2, 1), f64(0, 1, .5, .1, .9, .3)),
    "multiBinary 2d": (S.MultiBinary([2, 3]), None, None),
    "text": (S.Text(8), (None, None), (5, None)),
    "text charset": (S.Text(6, min_length=0, charset="xyzäö🙂"), (4, i8(1, 0, 1, 0, 0, 1)), (None, f64(.1, .2, .3, .1, .1, .2))),
    "text nothing allowed": (S.Text(6, min_length=0, charset="ab"), (None, i8(0, 0)), None),
    "tuple": (S.Tuple([S.Discrete(5), S.Box(-1, 1, (2,)), S.Tuple([S.MultiBinary(3)])]), None, None),
    "tuple masks": (S.Tuple([S.Discrete(5), S.Discrete(2)]), (i8(0, 0, 1, 1, 0), None), (None, f64(.5, .5))),
    "dict": (S.Dict({"b": S.Discrete(5), "a": S.Box(-1, 1, (2,)), "Z": S.Dict({"é": S.Text(3), "z": S.MultiBinary(2)})}), None, None),
    "dict masks": (S.Dict({"b": S.Discrete(3), "a": S.Discrete(2)}), {"a": None, "b": i8(1, 0, 1)}, {"a": f64(.25, .75), "b": f64(0, 0, 1)}),
    "sequence": (S.Sequence(S.Box(0, 1, (1,))), (3, None), None),
    "sequence masks": (S.Sequence(S.Discrete(4)), (np.array([1, 4, 6]), i8(1, 1, 0, 0)), (None, f64(.5, .25, .25, 0))),
    "graph": (S.Graph(S.Box(-10, 10, (2,)), S.Discrete(5)), None, None),
    "graph no edges": (S.Graph(S.Discrete(3), None), None, None),
    "oneOf": (S.OneOf([S.Discrete(3), S.Box(-1, 1, (2,)), S.Text(4)]), None, None),
    "oneOf masks": (S.OneOf([S.Discrete(3), S.Discrete(4)]), (i8(0, 1, 1), i8(1, 0, 0, 1)), (f64(.5, .5, 0), f64(.25, .25, .25, .25))),
}
def listseed(name, space):
    """A seed of the longest form, to pin the layout of lists and objects."""
    if isinstance(space, S.Tuple) : return [11 + i if not isinstance(x, S.Tuple) else [21] for i, x in enumerate(space.spaces)]
    if isinstance(space, S.Dict): return {k: 31 + i if not isinstance(x, S.Dict) else {"é": 41, "z": 42} for i, (k, x) in enumerate(space.spaces.items())}
    if isinstance(space, S.Sequence): return [51, 52]
    if isinstance(space, S.Graph): return [61, 62, 63] if space.edge_space is not None else [61, 62]
    if isinstance(space, S.OneOf): return [71, 72, 73, 74][: len(space.spaces) + 1]
    return None

out = {"gymnasium": gymnasium.__version__, "numpy": np.__version__, "spaces": []}
for name, (space, mask, probability) in SPACES.items():
    row = {"name": name, "definition": definition(space), "draws": []}
    for seed in (0, 7, 123456789, listseed(name, space)):
        if seed is None: continue
        used = space.seed(tuple(seed) if isinstance(seed, list) else seed)
        draw = {"seed": seed, "used": plain(used), "samples": [plain(space.sample()) for _ in range(3)]}
        if mask is not None: draw["masked"] = [plain(space.sample(mask=mask)) for _ in range(3)]
        if probability is not None: draw["weighted"] = [plain(space.sample(probability=probability)) for _ in range(3)]
        row["draws"].append(draw)
    if mask is not None: row["mask"] = plain(mask)
    if probability is not None: row["probability"] = plain(probability)
    try:
        if getattr(space, "n", 0) == 2**40: raise ValueError("too many to flatten")
        space.seed(3)
        sample = space.sample()
        flat = S.flatten(space, sample)
        row["flat"] = {"sample": plain(sample), "flat": plain(flat), "size": S.flatdim(space)}
    except (ValueError, NotImplementedError): pass
    # Not batched: more values than 32 bits hold, and open integer boxes, which Gymnasium closes at the end of the dtype.
    if name not in ("discrete large", "box int16 open", "box int8 open above"):
        space.seed(5)
        row["batch"] = plain(gymnasium.vector.utils.batch_space(space, 3).sample())
    out["spaces"].append(row)
print(json.dumps(out, ensure_ascii=False, separators=(",", ":")))
