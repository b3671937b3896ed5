"""Log-probs of token ids by transformers and peft.

usage: peft_scores.py MODEL_FOLDER ADAPTER_FOLDER < '{"prompt": [...], "response": [...]}'
prints {"base": [...], "adapter": [...]}
"""
import json
import sys

import torch
from peft import PeftModel
from transformers import Qwen2_5_VLForConditionalGeneration

folder, adapter = sys.argv[1:3]
torch.set_num_threads(1)
given = json.load(sys.stdin)
prompt, response = given["prompt"], given["response"]
ids = torch.tensor([prompt + response])


def scores(model):
    with torch.no_grad():
        logits = model(input_ids=ids, attention_mask=torch.ones_like(ids)).logits[0].float()
    log_probs = torch.log_softmax(logits, -1)
    return [log_probs[len(prompt) - 1 + i, token].item() for i, token in enumerate(response)]


model = Qwen2_5_VLForConditionalGeneration.from_pretrained(folder, dtype=torch.float32).eval()
base = scores(model)
print(json.dumps({"base": base, "adapter": scores(PeftModel.from_pretrained(model, adapter).eval())}))
