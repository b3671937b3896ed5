"""llama.cpp's own HTTP server, on the CPU with one thread and float32 caches, text alone.

usage: llama_server.py FILE.gguf PORT [ADAPTER.gguf]     needs: xllamacpp

`POST /lora-adapters` puts the adapter into force.
"""
import sys
import threading

import xllamacpp

model, port, *adapters = sys.argv[1:]
params = xllamacpp.CommonParams()
params.model.path = model
params.hostnames = ["127.0.0.1"]
params.port = int(port)
params.n_ctx = 8192
params.n_parallel = 4
params.n_gpu_layers = 0
params.cpuparams.n_threads = 1
params.cpuparams_batch.n_threads = 1
params.cache_type_k = xllamacpp.ggml_type.GGML_TYPE_F32
params.cache_type_v = xllamacpp.ggml_type.GGML_TYPE_F32
params.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
if adapters:
    params.lora_adapters = [xllamacpp.CommonAdapterLoraInfo(path, 1.0) for path in adapters]
    params.lora_init_without_apply = True
server = xllamacpp.Server(params)
threading.Event().wait()
