"""Writes test/golden/gguf: random blocks of every quantization with what gguf-py makes of them, and models of toy size.

    python test/golden/make-gguf.py test/golden/gguf      needs: gguf, numpy
"""

import base64
import hashlib
import json
import sys
from pathlib import Path

import numpy as np
from gguf import GGML_QUANT_SIZES, GGMLQuantizationType, GGUFWriter, TokenType, dequantize, quantize

TYPES = "F32 F16 BF16 Q8_0 Q4_0 Q4_1 Q5_0 Q5_1 Q2_K Q3_K Q4_K Q5_K Q6_K".split()
SCALES = {"Q8_0": [0], "Q4_0": [0], "Q4_1": [0, 2], "Q5_0": [0], "Q5_1": [0, 2], "Q2_K": [80, 82], "Q3_K": [108]}
SCALES |= {"Q4_K": [0, 2], "Q5_K": [0, 2], "Q6_K": [208]}
EDGES = [0x0000, 0x8000, 0x0001, 0x83FF, 0x0400, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E00]
BLOCKS = 24


def digest(values):
    """SHA-256 of float32 values; NaN has one pattern, because a sum of two may have either sign."""
    bits = np.ascontiguousarray(values, dtype=np.float32).view(np.uint32).copy()
    bits[np.isnan(bits.view(np.float32))] = 0x7FC00000
    return hashlib.sha256(bits.tobytes()).hexdigest()


def blocks(random):
    cases = []
    for name in TYPES:
        kind = GGMLQuantizationType[name]
        entries, size = GGML_QUANT_SIZES[kind]
        count = BLOCKS if entries > 1 else 512
        data = random.integers(0, 256, (count, size), dtype=np.uint8)
        for at in SCALES.get(name, []):
            normal = random.normal(0, 0.05, count).astype(np.float16).view(np.uint16)
            normal[: len(EDGES)] = random.permutation(EDGES) if at in (2, 82) else EDGES
            data[:, at : at + 2] = normal.view(np.uint8).reshape(count, 2)
        with np.errstate(all="ignore"):
            values = dequantize(data.reshape(1, -1), kind)
        cases.append({"type": name, "number": int(kind), "blocks": base64.b64encode(data.tobytes()).decode(),
                      "entries": values.size, "sha256": digest(values)})
    return cases


def permute(weight, heads):
    """Rows of q and k as llama.cpp stores them for interleaved rotary pairs."""
    return weight.reshape(heads, 2, weight.shape[0] // heads // 2, *weight.shape[1:]).swapaxes(1, 2).reshape(weight.shape)


def byte_characters():
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in plain]
    return [chr(byte) for byte in plain] + [chr(256 + index) for index in range(len(others))]


HIDDEN, HEADS, KEYS, HEAD, INNER = 32, 4, 2, 8, 32
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
MERGES = ["h e", "l l", "he ll", "hell o", "Ġ w", "1 2"]
TEMPLATE = "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"


def toy(folder, random, architecture, pre):
    tokens = SPECIAL + byte_characters() + [merge.replace(" ", "") for merge in MERGES] + ["<extra>"]
    types = [TokenType.CONTROL] * 3 + [TokenType.NORMAL] * (len(tokens) - 4) + [TokenType.USER_DEFINED]
    writer = GGUFWriter(folder / f"{architecture}.gguf", architecture)
    writer.add_block_count(1)
    writer.add_context_length(128)
    writer.add_embedding_length(HIDDEN)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KEYS)
    writer.add_rope_freq_base(10000.0)
    writer.add_layer_norm_rms_eps(1e-6)
    if architecture == "llama":
        writer.add_rope_dimension_count(HEAD)
    if architecture == "qwen3":
        writer.add_key_length(HEAD)
        writer.add_value_length(HEAD)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(pre)
    writer.add_token_list(tokens)
    writer.add_token_types(types)
    writer.add_token_merges(MERGES)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_pad_token_id(2)
    writer.add_add_bos_token(False)
    writer.add_chat_template(TEMPLATE)
    expected = {}

    def add(name, published, shape, kind="Q8_0", heads=0):
        value = (random.normal(0, 0.1, shape) + (1 if len(shape) == 1 else 0)).astype(np.float32)
        stored = permute(value, heads) if heads else value
        packed = quantize(stored, GGMLQuantizationType[kind])
        back = dequantize(packed, GGMLQuantizationType[kind]).reshape(shape)
        if heads:  # its own inverse is the permutation with the two axes exchanged
            back = back.reshape(heads, shape[0] // heads // 2, 2, *shape[1:]).swapaxes(1, 2).reshape(shape)
        writer.add_tensor(name, packed, raw_dtype=GGMLQuantizationType[kind])
        expected[published] = {"shape": list(shape), "sha256": digest(back)}

    isLlama = architecture == "llama"
    add("token_embd.weight", "model.embed_tokens.weight", (len(tokens), HIDDEN), "Q4_1")
    add("output_norm.weight", "model.norm.weight", (HIDDEN,), "F32")
    if architecture == "qwen2":
        add("output.weight", "lm_head.weight", (len(tokens), HIDDEN), "Q4_0")
    layer = "model.layers.0"
    add("blk.0.attn_norm.weight", f"{layer}.input_layernorm.weight", (HIDDEN,), "F32")
    add("blk.0.ffn_norm.weight", f"{layer}.post_attention_layernorm.weight", (HIDDEN,), "F32")
    for short, long, heads in [("q", "q_proj", HEADS), ("k", "k_proj", KEYS), ("v", "v_proj", KEYS)]:
        kind = "BF16" if short == "k" else "Q8_0"
        permuted = heads if isLlama and short != "v" else 0
        add(f"blk.0.attn_{short}.weight", f"{layer}.self_attn.{long}.weight", (heads * HEAD, HIDDEN), kind, permuted)
        if architecture == "qwen2":
            add(f"blk.0.attn_{short}.bias", f"{layer}.self_attn.{long}.bias", (heads * HEAD,), "F32")
    if architecture == "qwen3":
        add("blk.0.attn_q_norm.weight", f"{layer}.self_attn.q_norm.weight", (HEAD,), "F32")
        add("blk.0.attn_k_norm.weight", f"{layer}.self_attn.k_norm.weight", (HEAD,), "F32")
    add("blk.0.attn_output.weight", f"{layer}.self_attn.o_proj.weight", (HIDDEN, HEADS * HEAD))
    add("blk.0.ffn_gate.weight", f"{layer}.mlp.gate_proj.weight", (INNER, HIDDEN), "Q5_0")
    add("blk.0.ffn_up.weight", f"{layer}.mlp.up_proj.weight", (INNER, HIDDEN), "Q5_1")
    add("blk.0.ffn_down.weight", f"{layer}.mlp.down_proj.weight", (HIDDEN, INNER), "F16")
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return expected


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(20261126)
    (folder / "blocks.json").write_text(json.dumps(blocks(random), indent=1) + "\n")
    models = [("llama", "smollm"), ("qwen2", "qwen2"), ("qwen3", "qwen2")]
    expected = {name: toy(folder, random, name, pre) for name, pre in models}
    (folder / "tensors.json").write_text(json.dumps(expected, indent=1) + "\n")
