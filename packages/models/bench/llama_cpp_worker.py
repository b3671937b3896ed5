"""The llama.cpp side of against-llama-cpp.ts: a Llama folder as F16, decoded by llama.cpp in this process.

    python llama_cpp_worker.py FOLDER THREADS      needs: torch, gguf, xllamacpp

Writes inputs.safetensors and model-f16.gguf to FOLDER; jobs and answers are those of transformers_worker.py, "generate" alone.
Rows of a batch are requests at the same time, which llama.cpp decodes together.
"""
import json
import os
import socket
import sys
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import gguf
import numpy as np
from safetensors.torch import load_file
from transformers_worker import clear_peak, peak, write_inputs

NAMES = {
    "model.embed_tokens.weight": "token_embd.weight", "model.norm.weight": "output_norm.weight", "lm_head.weight": "output.weight",
    "input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm", "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down",
}


def interleaved(weight, heads):
    """llama.cpp rotates neighbors, transformers halves."""
    return weight.reshape(heads, 2, weight.shape[0] // heads // 2, -1).swapaxes(1, 2).reshape(weight.shape)


def write_gguf(folder, path):
    config = json.loads((folder / "config.json").read_text())
    definition = json.loads((folder / "tokenizer.json").read_text())
    heads, keys = config["num_attention_heads"], config["num_key_value_heads"]
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(heads)
    writer.add_head_count_kv(keys)
    writer.add_rope_freq_base(config["rope_theta"])
    writer.add_rope_dimension_count(config["head_dim"])
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_file_type(1)
    vocabulary = sorted(definition["model"]["vocab"], key=definition["model"]["vocab"].get)
    special = {token["content"] for token in definition["added_tokens"]}
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")
    writer.add_token_list(vocabulary)
    writer.add_token_types([gguf.TokenType.CONTROL if token in special else gguf.TokenType.NORMAL for token in vocabulary])
    writer.add_token_merges([merge if isinstance(merge, str) else " ".join(merge) for merge in definition["model"]["merges"]])
    writer.add_bos_token_id(config["bos_token_id"])
    writer.add_eos_token_id(config["eos_token_id"])
    for name, tensor in load_file(folder / "model.safetensors").items():
        weight = tensor.float().numpy()
        if name not in NAMES:
            _, _, layer, *rest, _ = name.split(".")
            part = ".".join(rest)
            if part.endswith(("q_proj", "k_proj")):
                weight = interleaved(weight, heads if part.endswith("q_proj") else keys)
            name = f"blk.{layer}.{NAMES[part]}.weight"
        else:
            name = NAMES[name]
        # norms are float32 in the files of llama.cpp
        writer.add_tensor(name, weight if weight.ndim == 1 else weight.astype(np.float16))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def open_server(path, threads):
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.hostnames = ["127.0.0.1"]
    params.port = free_port()
    params.n_ctx = 8192
    params.n_parallel = 8
    params.n_gpu_layers = 0
    params.cpuparams.n_threads = threads
    params.cpuparams_batch.n_threads = threads
    # the caller keeps it, or it ends
    return xllamacpp.Server(params), params.port, xllamacpp.__version__


def main(folder, threads):
    folder = Path(folder)
    if not (folder / "inputs.safetensors").exists():
        write_inputs(folder, "llama", "smollm2")
    write_gguf(folder, folder / "model-f16.gguf")
    inputs = load_file(folder / "inputs.safetensors")
    # what llama.cpp says goes to standard error: standard output has lines of JSON alone
    output = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    server, port, version = open_server(folder / "model-f16.gguf", int(threads))
    print(json.dumps({"llama.cpp by xllamacpp": version}), file=output, flush=True)

    def complete(prompt, tokens):
        request = dict(prompt=prompt, n_predict=tokens, temperature=0, ignore_eos=True, cache_prompt=False, return_tokens=True)
        posted = urllib.request.Request(
            f"http://127.0.0.1:{port}/completion", json.dumps(request).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(posted) as answer:
            return json.load(answer)["tokens"]

    with ThreadPoolExecutor(8) as pool:
        for line in sys.stdin:
            job = json.loads(line)
            prompts = inputs[f"generate{job['batch']}/input_ids"].tolist()
            clear_peak()
            start, processor = time.perf_counter(), time.process_time()
            ids = list(pool.map(lambda prompt: complete(prompt, job["tokens"]), prompts))
            figures = dict(seconds=time.perf_counter() - start, processor=time.process_time() - processor, peak=peak(), ids=ids)
            print(json.dumps(figures), file=output, flush=True)
    # threads of the server do not end by themselves
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
