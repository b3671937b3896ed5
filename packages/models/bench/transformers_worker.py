"""The Python side of against-transformers.ts: a random Qwen-VL model by transformers, timed one job at a time.

    python transformers_worker.py FOLDER FAMILY THREADS

Writes the model and inputs.safetensors to FOLDER unless they are there, prints one line with the versions, then answers
every line of standard input, a job as JSON, with a line of JSON: seconds, processor seconds, peak memory in bytes.

    {"job": "generate", "batch": 8, "tokens": 64, "adapters": false}   greedy, with cache; "ids" are the new tokens
    {"job": "train"}                                                   one step of LoRA, r = 16, on all linear layers
"""
import json
import os
import resource
import sys
import time
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"
import torch

try:  # torchvision is not used; one that does not fit this torch cannot be imported, nor does transformers without its operators
    import torchvision  # noqa: F401
except ModuleNotFoundError:
    pass
except Exception:
    for name in [name for name in sys.modules if name.startswith("torchvision")]:
        del sys.modules[name]
    library = torch.library.Library("torchvision", "DEF")
    for operator in ("nms", "qnms"):
        library.define(f"{operator}(Tensor boxes, Tensor scores, float iou_threshold) -> Tensor")
import peft
import transformers
from safetensors.torch import load_file, save_file

VOCABULARY, END, VISION_START, VISION_END, IMAGE, VIDEO = 4096, 4080, 4081, 4082, 4083, 4084
PROMPT, BEFORE_PICTURE, RESPONSE, SIDE = 150, 20, 64, 300
CLASSES = {"qwen2_vl": "Qwen2VL", "qwen2_5_vl": "Qwen2_5_VL", "qwen3_vl": "Qwen3VL"}


def shape(family):
    """Language: width 256, 6 layers, 4 heads over 2 key-value heads; vision: width 128, depth 4."""
    text = dict(
        hidden_size=256, num_hidden_layers=6, num_attention_heads=4, num_key_value_heads=2, intermediate_size=768,
        vocab_size=VOCABULARY, rms_norm_eps=1e-6, max_position_embeddings=4096, hidden_act="silu", bos_token_id=END,
        eos_token_id=END, rope_parameters=dict(rope_type="default", rope_theta=1e6, mrope_section=[8, 12, 12]),
    )
    vision = dict(depth=4, num_heads=4, patch_size=14, spatial_merge_size=2, temporal_patch_size=2)
    if family == "qwen2_vl":
        vision |= dict(embed_dim=128, hidden_size=256, mlp_ratio=4)
    elif family == "qwen2_5_vl":
        vision |= dict(hidden_size=128, out_hidden_size=256, intermediate_size=512, window_size=112, fullatt_block_indexes=[1, 3])
    else:
        text["head_dim"] = 64
        vision |= dict(
            hidden_size=128, out_hidden_size=256, intermediate_size=512, patch_size=16, num_position_embeddings=2304,
            deepstack_visual_indexes=[1, 2],
        )
    return text, vision


def write(folder, family):
    """A model with random weights, and inputs: text with one picture per row, no padding."""
    text, vision = shape(family)
    config = getattr(transformers, CLASSES[family] + "Config")(
        text_config=text, vision_config=vision, image_token_id=IMAGE, video_token_id=VIDEO,
        vision_start_token_id=VISION_START, vision_end_token_id=VISION_END, tie_word_embeddings=False,
    )
    torch.manual_seed(0)
    model = getattr(transformers, CLASSES[family] + "ForConditionalGeneration")(config)
    generator = torch.Generator().manual_seed(1)
    patch = vision["patch_size"]
    grid = 2 * round(SIDE / (2 * patch))
    picture = [VISION_START] + [IMAGE] * (grid * grid // 4) + [VISION_END]
    arrays = {}
    for key, rows, response in (("generate1", 1, 0), ("generate8", 8, 0), ("train", 4, RESPONSE)):
        ids = torch.randint(0, END - 80, (rows, PROMPT), generator=generator)
        parts = [ids[:, :BEFORE_PICTURE], torch.tensor(picture).expand(rows, -1), ids[:, BEFORE_PICTURE:]]
        if response:
            parts.append(torch.randint(0, END - 80, (rows, response), generator=generator))
        arrays[f"{key}/input_ids"] = torch.cat(parts, 1)
        arrays[f"{key}/image_grid_thw"] = torch.tensor([[1, grid, grid]] * rows)
        arrays[f"{key}/pixel_values"] = torch.randn(rows * grid * grid, 3 * 2 * patch * patch, generator=generator)
    model.save_pretrained(folder)
    save_file(arrays, folder / "inputs.safetensors")


def peak():
    """Bytes; Linux counts the most since `clear_peak`, other systems since the start."""
    try:
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def clear_peak():
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        pass


class Worker:
    def __init__(self, folder, family):
        model_class = getattr(transformers, CLASSES[family] + "ForConditionalGeneration")
        self.model = model_class.from_pretrained(folder, dtype=torch.float32).eval()
        self.adapted = None
        arrays = load_file(folder / "inputs.safetensors")
        self.inputs = {}
        for key in ("generate1", "generate8", "train"):
            ids = arrays[f"{key}/input_ids"]
            self.inputs[key] = dict(
                input_ids=ids, attention_mask=torch.ones_like(ids), mm_token_type_ids=(ids == IMAGE).int(),
                image_grid_thw=arrays[f"{key}/image_grid_thw"], pixel_values=arrays[f"{key}/pixel_values"],
            )

    def attach(self):
        if self.adapted:
            return
        layers = r".*\.language_model\.layers\.\d+\.(self_attn|mlp)\.(q|k|v|o|gate|up|down)_proj"
        lora = peft.LoraConfig(r=16, lora_alpha=32, lora_dropout=0.0, bias="none", task_type="CAUSAL_LM", target_modules=layers)
        self.adapted = peft.get_peft_model(self.model, lora)
        trained = [parameter for parameter in self.adapted.parameters() if parameter.requires_grad]
        self.optimizer = torch.optim.AdamW(trained, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0)

    def generate(self, batch, tokens, adapters=False):
        inputs = self.inputs[f"generate{batch}"]
        config = transformers.GenerationConfig(
            max_new_tokens=tokens, min_new_tokens=tokens, do_sample=False, pad_token_id=END, eos_token_id=END,
        )
        if adapters:
            self.attach()
            self.adapted.eval()
        model = self.adapted if adapters else self.model
        self.model.model.rope_deltas = None
        with torch.no_grad():
            out = model.generate(**inputs, generation_config=config)
        return out[:, inputs["input_ids"].shape[1]:]

    def train(self):
        self.attach()
        self.adapted.train()
        self.model.model.rope_deltas = None
        inputs = self.inputs["train"]
        target = inputs["input_ids"][:, -RESPONSE:]
        logits = self.adapted(**inputs, use_cache=False, logits_to_keep=RESPONSE + 1).logits[:, :-1]
        loss = torch.nn.functional.cross_entropy(logits.reshape(-1, VOCABULARY), target.reshape(-1))
        loss.backward()
        self.optimizer.step()
        self.optimizer.zero_grad()
        return loss.item()

    def run(self, job, **options):
        clear_peak()
        start, processor = time.perf_counter(), time.process_time()
        result = self.generate(**options) if job == "generate" else self.train()
        figures = dict(seconds=time.perf_counter() - start, processor=time.process_time() - processor, peak=peak())
        return figures | (dict(ids=result.tolist()) if job == "generate" else dict(loss=result))


def main(folder, family, threads):
    torch.set_num_threads(int(threads))
    transformers.logging.set_verbosity_error()
    folder = Path(folder)
    if not (folder / "inputs.safetensors").exists():
        write(folder, family)
    worker = Worker(folder, family)
    versions = dict(torch=torch.__version__, transformers=transformers.__version__, peft=peft.__version__)
    print(json.dumps(versions), flush=True)
    for line in sys.stdin:
        print(json.dumps(worker.run(**json.loads(line))), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
