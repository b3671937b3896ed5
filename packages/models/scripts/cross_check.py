"""The Python side of cross-check.ts: random models of each family by transformers, adapters by peft, and their logits.

    python cross_check.py make FOLDER     writes a model, an adapter and inputs with the logits of both
    python cross_check.py read FOLDER     loads the adapter that was written in FOLDER/ours and writes its logits
"""
import json
import sys
from pathlib import Path

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from safetensors.torch import load_file, save_file
from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForImageTextToText


def logits(model, inputs):
    with torch.no_grad():
        return model(**inputs).logits.float().contiguous()


def inputs_of(config, folder):
    """One row of text, and one picture of 4 x 6 patches where the model reads them; without a processor: the pixels are random."""
    arrays = load_file(folder / "inputs.safetensors")
    ids = arrays["input_ids"]
    if "pixel_values" not in arrays:
        return {"input_ids": ids, "attention_mask": torch.ones_like(ids)}
    return {
        "input_ids": ids,
        "attention_mask": torch.ones_like(ids),
        "pixel_values": arrays["pixel_values"],
        "image_grid_thw": arrays["image_grid_thw"],
        "mm_token_type_ids": (ids == config.image_token_id).int(),
    }


def kind(config):
    return AutoModelForImageTextToText if hasattr(config, "vision_config") else AutoModelForCausalLM


def make(folder):
    torch.manual_seed(0)
    config = AutoConfig.from_pretrained(folder / "shape")
    model = kind(config).from_config(config, dtype=torch.float32).eval()
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, 0.0, 0.1) if parameter.dim() > 1 else parameter.data.add_(0.1 * torch.randn_like(parameter))
    model.save_pretrained(folder / "model", max_shard_size="200KB")
    inputs = inputs_of(config, folder)
    saved = {"logits": logits(model, inputs)}
    lora = LoraConfig(r=4, lora_alpha=8, target_modules="all-linear", rank_pattern={"q_proj": 2}, alpha_pattern={"v_proj": 3})
    adapted = get_peft_model(model, lora)
    for name, parameter in adapted.named_parameters():
        if "lora_B" in name:
            torch.nn.init.normal_(parameter, 0.0, 0.1)
    adapted.save_pretrained(folder / "adapter")
    saved["adapter_logits"] = logits(adapted.eval(), inputs)
    save_file(saved, folder / "theirs.safetensors")


def read(folder):
    model = kind(AutoConfig.from_pretrained(folder / "model")).from_pretrained(folder / "model", dtype=torch.float32).eval()
    adapted = PeftModel.from_pretrained(model, folder / "ours").eval()
    inputs = inputs_of(model.config, folder)
    save_file({"logits": logits(adapted, inputs)}, folder / "read.safetensors")


if __name__ == "__main__":
    {"make": make, "read": read}[sys.argv[1]](Path(sys.argv[2]))
