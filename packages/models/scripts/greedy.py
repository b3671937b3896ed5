"""The Python side of greedy-check.ts: greedy tokens of a text-only folder by transformers, in float32.

    python greedy.py FOLDER COUNT < prompts.json    a list of lists of ids; prints the same of the new tokens
"""
import json
import sys

import torch
from transformers import AutoModelForCausalLM

folder, count = sys.argv[1], int(sys.argv[2])
torch.set_num_threads(1)
model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
answers = []
for ids in json.load(sys.stdin):
    prompt = torch.tensor([ids])
    out = model.generate(prompt, attention_mask=torch.ones_like(prompt), max_new_tokens=count, min_new_tokens=count, do_sample=False,
                         eos_token_id=None, repetition_penalty=1.0)
    answers.append(out[0, len(ids):].tolist())
print(json.dumps(answers))
