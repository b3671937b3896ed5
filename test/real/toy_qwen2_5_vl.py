"""A small random Qwen2.5-VL folder that vLLM takes too: on a CPU it has kernels for heads of 32, not for the 8 and 16 of the
golden folders. For tests that count; its agreement with anything proves nothing.

usage: toy_qwen2_5_vl.py GOLDEN_MODEL_FOLDER OUT     needs: torch safetensors
"""
import json
import os
import shutil
import sys

import torch
from safetensors import safe_open
from safetensors.torch import save_file

golden, out = sys.argv[1:3]
HIDDEN, HEADS, KEY_VALUE_HEADS, INNER, LAYERS = 128, 4, 2, 256, 2
os.makedirs(out, exist_ok=True)
for name in os.listdir(golden):
    if name not in ("model.safetensors", "config.json", "config.v5.json"):
        shutil.copy(f"{golden}/{name}", f"{out}/{name}")
config = json.load(open(f"{golden}/config.json"))
config.update(hidden_size=HIDDEN, num_attention_heads=HEADS, num_key_value_heads=KEY_VALUE_HEADS, intermediate_size=INNER)
config.update(num_hidden_layers=LAYERS, max_window_layers=LAYERS, max_position_embeddings=8192, sliding_window=8192)
config["rope_scaling"]["mrope_section"] = [4, 6, 6]
config["vision_config"]["out_hidden_size"] = HIDDEN
key_value = HIDDEN // HEADS * KEY_VALUE_HEADS
SHAPES = {
    "embed_tokens.weight": [config["vocab_size"], HIDDEN], "lm_head.weight": [config["vocab_size"], HIDDEN],
    "gate_proj.weight": [INNER, HIDDEN], "up_proj.weight": [INNER, HIDDEN], "down_proj.weight": [HIDDEN, INNER],
    "q_proj.weight": [HIDDEN, HIDDEN], "o_proj.weight": [HIDDEN, HIDDEN], "q_proj.bias": [HIDDEN],
    "k_proj.weight": [key_value, HIDDEN], "v_proj.weight": [key_value, HIDDEN], "k_proj.bias": [key_value], "v_proj.bias": [key_value],
}
generator = torch.Generator().manual_seed(0)
weights = {}
with safe_open(f"{golden}/model.safetensors", "pt") as file:
    for name in file.keys():
        weight = file.get_tensor(name)
        shape = list(weight.shape)
        if name.startswith("visual."):
            if name.startswith("visual.merger.mlp.2"):
                shape[0] = HIDDEN
        elif name.startswith("model.layers.") and int(name.split(".")[2]) >= LAYERS:
            continue
        elif "norm" in name:
            shape = [HIDDEN]
        else:
            shape = next(shape for end, shape in SHAPES.items() if name.endswith(end))
        if shape != list(weight.shape):
            scale = 0.3 if "embed" in name else 0.06
            weight = torch.ones(shape) if "norm" in name else torch.randn(shape, generator=generator) * scale
        weights[name] = weight.contiguous()
save_file(weights, f"{out}/model.safetensors", metadata={"format": "pt"})
json.dump(config, open(f"{out}/config.json", "w"), indent=2)
