"""The Python side of against-transformers.ts: a random Qwen-VL model, or SmolLM2, by transformers, timed one job at a time.

    python transformers_worker.py FOLDER FAMILY THREADS [SIZE DEVICE DTYPE]

Writes the model and inputs.safetensors to FOLDER unless they are there, prints one line with the versions, then answers
every line of standard input, a job as JSON, with a line of JSON: seconds, processor seconds, peak memory in bytes (of the
device, or of the process on a CPU).

    {"job": "generate", "batch": 8, "tokens": 64, "adapters": false}   greedy, with cache; "ids" are the new tokens
    {"job": "score", "precise": false}   log-probabilities of the last tokens of the rows of "train"; "precise": in float32
    {"job": "train"}                     one step of LoRA, r = 16, on all linear layers; the first writes FOLDER/adapter
"""
import copy
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

PROMPT, BEFORE_PICTURE, RESPONSE = 150, 20, 64
# Height and width of a picture, batches, and the sizes of a model; those of Qwen2.5-VL as in its published config.json.
SIZES = {
    "toy": dict(picture=(300, 300), batches=(1, 8), vocabulary=4096),
    "3b": dict(picture=(480, 640), batches=(1, 8, 32), vocabulary=151936, tied=True, width=2048, text=dict(
        num_hidden_layers=36, num_attention_heads=16, num_key_value_heads=2, intermediate_size=11008)),
    "7b": dict(picture=(480, 640), batches=(1, 8, 32), vocabulary=152064, tied=False, width=3584, text=dict(
        num_hidden_layers=28, num_attention_heads=28, num_key_value_heads=4, intermediate_size=18944)),
    "smollm2": dict(picture=None, batches=(1, 8), vocabulary=49152),
}
CLASSES = {"qwen2_vl": "Qwen2VLForConditionalGeneration", "qwen2_5_vl": "Qwen2_5_VLForConditionalGeneration",
           "qwen3_vl": "Qwen3VLForConditionalGeneration", "llama": "LlamaForCausalLM"}
# Ids from the end of turn on that no text has: those of `tokens_of`, and one more that ends a turn on the other side.
SPECIAL = 6
# Tokens of a prompt without a picture.
TEXT_PROMPT = 273


def tokens_of(size):
    """Ids behind those of text: end of turn, start and end of a picture, a token of a picture, of a video."""
    first = SIZES[size]["vocabulary"] - 16
    return range(first, first + 5)


def published(size):
    """Qwen2.5-VL-3B and -7B."""
    given, end = SIZES[size], tokens_of(size)[0]
    text = dict(
        hidden_size=given["width"], vocab_size=given["vocabulary"], rms_norm_eps=1e-6, max_position_embeddings=32768,
        hidden_act="silu", bos_token_id=end, eos_token_id=end, **given["text"],
        rope_parameters=dict(rope_type="default", rope_theta=1e6, mrope_section=[16, 24, 24]),
    )
    vision = dict(
        depth=32, hidden_size=1280, intermediate_size=3420, num_heads=16, out_hidden_size=given["width"], patch_size=14,
        spatial_merge_size=2, temporal_patch_size=2, window_size=112, fullatt_block_indexes=[7, 15, 23, 31],
    )
    return text, vision


def shape(family, size):
    """Of the toys: language of width 256, 6 layers, 4 heads over 2 key-value heads; vision of width 128, depth 4."""
    if size != "toy":
        return published(size)
    vocabulary, end = SIZES[size]["vocabulary"], tokens_of(size)[0]
    text = dict(
        hidden_size=256, num_hidden_layers=6, num_attention_heads=4, num_key_value_heads=2, intermediate_size=768,
        vocab_size=vocabulary, rms_norm_eps=1e-6, max_position_embeddings=4096, hidden_act="silu", bos_token_id=end,
        eos_token_id=end, rope_parameters=dict(rope_type="default", rope_theta=1e6, mrope_section=[8, 12, 12]),
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


def draw(folder, family, size, device, dtype):
    """A model with random weights."""
    text, vision = shape(family, size)
    end, vision_start, vision_end, image, video = tokens_of(size)
    config = getattr(transformers, CLASSES[family].removesuffix("ForConditionalGeneration") + "Config")(
        text_config=text, vision_config=vision, image_token_id=image, video_token_id=video,
        vision_start_token_id=vision_start, vision_end_token_id=vision_end, tie_word_embeddings=SIZES[size].get("tied", False),
    )
    torch.manual_seed(0)
    torch.set_default_dtype(dtype)
    with torch.device(device):
        model = getattr(transformers, CLASSES[family])(config)
    torch.set_default_dtype(torch.float32)
    with torch.no_grad():  # a score of 0 is never the highest: no greedy text ends early
        model.get_output_embeddings().weight[end : end + SPECIAL] = 0
    model.save_pretrained(folder)
    pictures = dict(
        image_mean=[0.5] * 3, image_std=[0.5] * 3, min_pixels=3136, max_pixels=12845056, merge_size=2,
        patch_size=vision["patch_size"], temporal_patch_size=2,
    )
    (folder / "preprocessor_config.json").write_text(json.dumps(pictures))
    return model


def write_inputs(folder, family, size):
    """Text with one picture per row, or text alone; no padding."""
    end, vision_start, vision_end, image, _ = tokens_of(size)
    generator = torch.Generator().manual_seed(1)
    generated = [(f"generate{batch}", batch, 0) for batch in SIZES[size]["batches"]]
    if SIZES[size]["picture"] is None:
        rows = {key: (count, TEXT_PROMPT + response) for key, count, response in (*generated, ("train", 4, RESPONSE))}
        # the first ids are special tokens
        arrays = {f"{key}/input_ids": torch.randint(100, end, shape, generator=generator) for key, shape in rows.items()}
        save_file(arrays, folder / "inputs.safetensors")
        return
    patch = shape(family, size)[1]["patch_size"]
    rows, columns = (2 * round(side / (2 * patch)) for side in SIZES[size]["picture"])
    picture = [vision_start] + [image] * (rows * columns // 4) + [vision_end]
    arrays = {}
    for key, count, response in (*generated, ("train", 4, RESPONSE)):
        ids = torch.randint(0, end - 80, (count, PROMPT), generator=generator)
        parts = [ids[:, :BEFORE_PICTURE], torch.tensor(picture).expand(count, -1), ids[:, BEFORE_PICTURE:]]
        if response:
            parts.append(torch.randint(0, end - 80, (count, response), generator=generator))
        arrays[f"{key}/input_ids"] = torch.cat(parts, 1)
        arrays[f"{key}/image_grid_thw"] = torch.tensor([[1, rows, columns]] * count)
        arrays[f"{key}/pixel_values"] = torch.randn(count * rows * columns, 3 * 2 * patch * patch, generator=generator)
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
    def __init__(self, folder, family, size, device, dtype):
        self.folder, self.device, self.end = folder, device, tokens_of(size)[0]
        if not (folder / "config.json").exists():
            self.model = draw(folder, family, size, device, dtype)
        else:
            self.model = getattr(transformers, CLASSES[family]).from_pretrained(folder, dtype=dtype).to(device)
        if not (folder / "inputs.safetensors").exists():
            write_inputs(folder, family, size)
        self.model.eval()
        self.adapted = None
        arrays = load_file(folder / "inputs.safetensors")
        image = tokens_of(size)[3]
        self.inputs = {}
        for key in {name.split("/")[0] for name in arrays}:
            ids = arrays[f"{key}/input_ids"]
            inputs = dict(input_ids=ids, attention_mask=torch.ones_like(ids))
            if f"{key}/pixel_values" in arrays:
                inputs |= dict(
                    mm_token_type_ids=(ids == image).int(), image_grid_thw=arrays[f"{key}/image_grid_thw"],
                    pixel_values=arrays[f"{key}/pixel_values"].to(dtype),
                )
            self.inputs[key] = {name: tensor.to(device) for name, tensor in inputs.items()}

    def attach(self):
        if self.adapted:
            return
        layers = r"(.*\.language_model|model)\.layers\.\d+\.(self_attn|mlp)\.(q|k|v|o|gate|up|down)_proj"
        lora = peft.LoraConfig(r=16, lora_alpha=32, lora_dropout=0.0, bias="none", task_type="CAUSAL_LM", target_modules=layers)
        self.adapted = peft.get_peft_model(self.model, lora)
        trained = [parameter for parameter in self.adapted.parameters() if parameter.requires_grad]
        self.adapted.save_pretrained(self.folder / "adapter")
        self.optimizer = torch.optim.AdamW(trained, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0)

    def generate(self, batch, tokens, adapters=False):
        inputs = self.inputs[f"generate{batch}"]
        config = transformers.GenerationConfig(
            max_new_tokens=tokens, min_new_tokens=tokens, do_sample=False, pad_token_id=self.end,
            eos_token_id=self.end,
        )
        if adapters:
            self.attach()
            self.adapted.eval()
        model = self.adapted if adapters else self.model
        self.model.model.rope_deltas = None
        with torch.no_grad():
            out = model.generate(**inputs, generation_config=config)
        return out[:, inputs["input_ids"].shape[1]:]

    def log_probs(self, model, dtype=None):
        self.model.model.rope_deltas = None
        inputs = self.inputs["train"]
        if dtype and "pixel_values" in inputs:
            inputs = inputs | dict(pixel_values=inputs["pixel_values"].to(dtype))
        logits = model(**inputs, use_cache=False, logits_to_keep=RESPONSE + 1).logits[:, :-1]
        targets = inputs["input_ids"][:, -RESPONSE:]
        return torch.log_softmax(logits.float(), -1).gather(-1, targets.unsqueeze(-1)).squeeze(-1)

    def score(self, precise=False):
        """Of the weights without adapters; to be asked before any are attached."""
        model = copy.deepcopy(self.model).float() if precise else self.model
        with torch.no_grad():
            result = self.log_probs(model, model.dtype)
        if precise and self.device != "cpu":
            del model
            torch.cuda.empty_cache()
        return result

    def train(self):
        self.attach()
        self.adapted.train()
        loss = -self.log_probs(self.adapted).mean()
        loss.backward()
        self.optimizer.step()
        self.optimizer.zero_grad()
        return loss.item()

    def run(self, job, **options):
        on_device = self.device != "cpu"
        held = torch.cuda.memory_allocated() if on_device else None
        if on_device:
            torch.cuda.synchronize()
            torch.cuda.reset_peak_memory_stats()
        clear_peak()
        start, processor = time.perf_counter(), time.process_time()
        result = dict(generate=self.generate, score=self.score, train=self.train)[job](**options)
        if on_device:
            torch.cuda.synchronize()
        figures = dict(seconds=time.perf_counter() - start, processor=time.process_time() - processor)
        figures["peak"] = torch.cuda.max_memory_allocated() if on_device else peak()
        if on_device:
            figures["held"] = held
        names = dict(generate="ids", score="logProbs", train="loss")
        return figures | {names[job]: result if job == "train" else result.tolist()}


def main(folder, family, threads, size="toy", device="cpu", dtype="float32"):
    torch.set_num_threads(int(threads))
    transformers.logging.set_verbosity_error()
    worker = Worker(Path(folder), family, size, device, getattr(torch, dtype))
    versions = dict(torch=torch.__version__, transformers=transformers.__version__, peft=peft.__version__)
    if device != "cpu":
        versions["card"] = torch.cuda.get_device_name()
    print(json.dumps(versions), flush=True)
    for line in sys.stdin:
        print(json.dumps(worker.run(**json.loads(line))), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
