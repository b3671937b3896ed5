"""A peft adapter of the Qwen2.5-VL folder (or the Llama folder) as a GGUF adapter of llama.cpp.

usage: adapter_to_gguf.py ADAPTER_FOLDER MODEL_FOLDER OUT.gguf     needs: gguf numpy safetensors
"""
import json
import re
import sys

import numpy as np
from gguf import GGUFWriter
from safetensors.numpy import load_file

adapter, model, out = sys.argv[1:4]
config = json.load(open(f"{adapter}/adapter_config.json"))
shape = json.load(open(f"{model}/config.json"))
HEADS = {"attn_q": shape["num_attention_heads"], "attn_k": shape["num_key_value_heads"]}
NAMES = {"q": "attn_q", "k": "attn_k", "v": "attn_v", "o": "attn_output", "gate": "ffn_gate", "up": "ffn_up", "down": "ffn_down"}


def interleave(weight, heads):
    """llama.cpp stores rotary pairs beside each other; transformers rotates halves."""
    return weight.reshape(heads, 2, weight.shape[0] // heads // 2, *weight.shape[1:]).swapaxes(1, 2).reshape(weight.shape)


if config["rank_pattern"] or config["alpha_pattern"] or config["use_rslora"]:
    raise SystemExit("llama.cpp has one alpha for all matrices")
writer = GGUFWriter(out, "llama")
writer.add_type("adapter")
writer.add_string("adapter.type", "lora")
writer.add_float32("adapter.lora.alpha", float(config["lora_alpha"]))
for name, factor in load_file(f"{adapter}/adapter_model.safetensors").items():
    layer, part, side = re.search(r"layers\.(\d+)\.\w+\.(\w+)_proj\.lora_([AB])\.weight$", name).groups()
    if side == "B" and NAMES[part] in HEADS:
        factor = interleave(factor, HEADS[NAMES[part]])
    writer.add_tensor(f"blk.{layer}.{NAMES[part]}.weight.lora_{side.lower()}", np.ascontiguousarray(factor, dtype=np.float32))
writer.write_header_to_file()
writer.write_kv_data_to_file()
writer.write_tensors_to_file()
writer.close()
