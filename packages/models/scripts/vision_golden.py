"""Golden data of families that read pictures as tiles (Idefics3, SmolVLM, LLaVA-NeXT, Gemma 3): random models of toy size by
transformers with its processors (the Pillow ones), adapters by peft, and what they compute.

    python vision_golden.py make FOLDER [--types idefics3,llava_next,…] [--random N] [--seed S]
    python vision_golden.py read FOLDER NAME ADAPTER OUT    logits of the prompt "one" with an adapter that was written elsewhere

Without --random, the configurations in VARIANTS; with it, N random configurations of each type. The layout, the tolerances
and the float64 runs are those of `text_golden.py`.
"""
import argparse
import json
import random
import sys
from pathlib import Path

import numpy
import torch
from peft import PeftModel
from PIL import Image
from safetensors.torch import save_file
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, processors
from transformers import (AutoConfig, AutoModelForImageTextToText, Gemma3Processor, Idefics3Processor, LlavaNextProcessor,
                          PreTrainedTokenizerFast)
from transformers.models.gemma3.image_processing_pil_gemma3 import Gemma3ImageProcessorPil
from transformers.models.idefics3.image_processing_pil_idefics3 import Idefics3ImageProcessorPil
from transformers.models.llava_next.image_processing_pil_llava_next import LlavaNextImageProcessorPil

import text_golden
from text_golden import MERGES, Golden, wide

HALF = [0.5, 0.5, 0.5]
ROWS = [f"<row_{i}_col_{j}>" for i in range(1, 7) for j in range(1, 7)]
SPECIAL = {
    "idefics3": ["<|endoftext|>", "<|im_start|>", "<end_of_utterance>", "<fake_token_around_image>", "<image>", "<global-img>", *ROWS],
}
SPECIAL["smolvlm"] = SPECIAL["idefics3"]
SPECIAL["gemma3"] = ["<pad>", "<eos>", "<end_of_turn>", "<bos>", "<start_of_turn>", "<start_of_image>", "<end_of_image>", "<image_soft_token>"]
SPECIAL["llava_next"] = ["<unk>", "<s>", "</s>", "<image>"]
TEMPLATES = {
    "idefics3": (
        "<|im_start|>{% for message in messages %}{{ message.role | capitalize }}{% if message.content[0].type == 'image' %}{{ ':' }}"
        "{% else %}{{ ': ' }}{% endif %}{% for part in message.content %}{% if part.type == 'text' %}{{ part.text }}"
        "{% elif part.type == 'image' %}{{ '<image>' }}{% endif %}{% endfor %}<end_of_utterance>\n{% endfor %}"
        "{% if add_generation_prompt %}{{ 'Assistant:' }}{% endif %}"),
}
TEMPLATES["smolvlm"] = TEMPLATES["idefics3"]
TEMPLATES["gemma3"] = (
    "{{ bos_token }}{%- if messages[0]['role'] == 'system' -%}{%- if messages[0]['content'] is string -%}"
    "{%- set first_user_prefix = messages[0]['content'] + '\n\n' -%}{%- else -%}"
    "{%- set first_user_prefix = messages[0]['content'][0]['text'] + '\n\n' -%}{%- endif -%}{%- set loop_messages = messages[1:] -%}"
    "{%- else -%}{%- set first_user_prefix = '' -%}{%- set loop_messages = messages -%}{%- endif -%}{%- for message in loop_messages -%}"
    "{%- if (message['role'] == 'user') != (loop.index0 % 2 == 0) -%}{{ raise_exception('Roles must alternate') }}{%- endif -%}"
    "{%- if message['role'] == 'assistant' -%}{%- set role = 'model' -%}{%- else -%}{%- set role = message['role'] -%}{%- endif -%}"
    "{{ '<start_of_turn>' + role + '\n' + (first_user_prefix if loop.first else '') }}{%- if message['content'] is string -%}"
    "{{ message['content'] | trim }}{%- elif message['content'] is iterable -%}{%- for item in message['content'] -%}"
    "{%- if item['type'] == 'image' -%}{{ '<start_of_image>' }}{%- elif item['type'] == 'text' -%}{{ item['text'] | trim }}{%- endif -%}"
    "{%- endfor -%}{%- endif -%}{{ '<end_of_turn>\n' }}{%- endfor -%}{%- if add_generation_prompt -%}{{ '<start_of_turn>model\n' }}{%- endif -%}")
TEMPLATES["llava_next"] = (
    "{% for message in messages %}{% if message['role'] == 'system' %}{{ '<<SYS>>\n' + message['content'][0]['text'] + '\n<</SYS>>\n\n' }}"
    "{% elif message['role'] == 'user' %}{{ '[INST] ' }}{% for part in message['content'] | selectattr('type', 'equalto', 'image') %}"
    "{{ '<image>\n' }}{% endfor %}{% for part in message['content'] | selectattr('type', 'equalto', 'text') %}{{ part['text'] }}"
    "{% endfor %}{{ ' [/INST]' }}{% else %}{{ ' ' + message['content'][0]['text'] + '</s>' }}{% endif %}{% endfor %}")
END, PAD = {}, {}
for kind in SPECIAL:
    PAD[kind], END[kind] = SPECIAL[kind][0], SPECIAL[kind][2]

TEXT = dict(vocab_size=360, hidden_size=24, intermediate_size=28, num_hidden_layers=2, num_attention_heads=4,
            num_key_value_heads=2, max_position_embeddings=2048, rms_norm_eps=1e-6)
TOWER = dict(hidden_size=16, intermediate_size=20, num_hidden_layers=2, num_attention_heads=2)
VARIANTS = {
    "idefics3": dict(kind="idefics3", config=dict(
        scale_factor=2, text_config=dict(TEXT, model_type="llama"), vision_config=dict(TOWER, image_size=24, patch_size=6)),
        picture=dict(size={"longest_edge": 60}, max_image_size={"longest_edge": 24})),
    "smolvlm": dict(kind="smolvlm", config=dict(
        scale_factor=3, tie_word_embeddings=True, text_config=dict(TEXT, model_type="llama", head_dim=8, num_key_value_heads=1),
        vision_config=dict(TOWER, image_size=40, patch_size=4)),
        picture=dict(size={"longest_edge": 40}, max_image_size={"longest_edge": 25}, do_image_splitting=False)),
    "gemma3": dict(kind="gemma3", config=dict(
        text_config=dict(TEXT, model_type="gemma3_text", head_dim=12, num_hidden_layers=3, sliding_window=7, query_pre_attn_scalar=20,
                         layer_types=["sliding_attention", "full_attention", "sliding_attention"],
                         rope_parameters=dict(full_attention=dict(rope_type="linear", rope_theta=1e6, factor=8.0),
                                              sliding_attention=dict(rope_type="default", rope_theta=1e4))),
        vision_config=dict(TOWER, image_size=24, patch_size=3, vision_use_head=False), mm_tokens_per_image=16),
        picture=dict(do_pan_and_scan=True, pan_and_scan_min_crop_size=12, pan_and_scan_max_num_crops=3,
                     pan_and_scan_min_ratio_to_activate=1.6)),
    "llava_next": dict(kind="llava_next", config=dict(
        text_config=dict(TEXT, model_type="mistral", sliding_window=None), image_grid_pinpoints=[[16, 32], [32, 16], [32, 32], [48, 16]],
        vision_config=dict(TOWER, num_hidden_layers=3, model_type="clip_vision_model", image_size=16, patch_size=4)), picture={}),
}
SIZES = {"small": (24, 36), "wide": (17, 70), "tall": (66, 29)}
PROMPTS = {
    "one": (["small", "Which way?"], "Go on."),
    "two": (["Look at the first: ", "wide", " and"], ["the cat?"], ["tall", "small", "\nOn the wall"], "a red one"),
    "none": (["the cat?"], "there"),
}
BATCH = ["one", "two", "none"]


def pictures():
    """Smooth with noise, so that every filter shows."""
    rng = numpy.random.default_rng(5)
    found = {}
    for name, (height, width) in SIZES.items():
        y, x = numpy.mgrid[0:height, 0:width]
        waves = [numpy.sin(x / (5 + c) + y / (7 - c)) * 90 + 128 for c in range(3)]
        levels = numpy.stack(waves, -1) + rng.normal(0, 25, (height, width, 3))
        found[name] = Image.fromarray(levels.clip(0, 255).astype(numpy.uint8))
    return found


PICTURES = pictures()


def make_tokenizer(kind):
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    merges = [tuple(merge.split()) for merge in [*MERGES, "Ċ Ċ", "Ġ an", "Ġan d"]]
    vocab = {token: i for i, token in enumerate(alphabet + ["".join(merge) for merge in merges])}
    tokenizer = Tokenizer(models.BPE(vocab=vocab, merges=merges))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in SPECIAL[kind]])
    options = {}
    if kind == "gemma3":
        options = dict(bos_token="<bos>", extra_special_tokens=dict(boi_token="<start_of_image>", eoi_token="<end_of_image>", image_token="<image_soft_token>"))
    if kind == "llava_next":
        options["bos_token"] = "<s>"
        tokenizer.post_processor = processors.Sequence([
            processors.ByteLevel(trim_offsets=False),
            processors.TemplateProcessing(single="<s> $A", pair="<s> $A $B:1", special_tokens=[("<s>", tokenizer.token_to_id("<s>"))])])
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token=END[kind], pad_token=PAD[kind],
                                   chat_template=TEMPLATES[kind], **options)


def make_processor(kind, tokenizer, config, picture):
    if kind in ("idefics3", "smolvlm"):
        side = picture["max_image_size"]["longest_edge"] // config["vision_config"]["patch_size"]
        return Idefics3Processor(Idefics3ImageProcessorPil(**picture), tokenizer, chat_template=TEMPLATES[kind],
                                 image_seq_len=(side // config["scale_factor"]) ** 2)
    if kind == "llava_next":
        tower, clip = config["vision_config"], config["vision_config"]["model_type"] == "clip_vision_model"
        side = dict(height=tower["image_size"], width=tower["image_size"])
        images = LlavaNextImageProcessorPil(**{"size": {"shortest_edge": tower["image_size"]}, "crop_size": side,
                                               "image_grid_pinpoints": config["image_grid_pinpoints"], **picture})
        return LlavaNextProcessor(images, tokenizer, patch_size=tower["patch_size"], chat_template=TEMPLATES[kind],
                                  vision_feature_select_strategy="default" if clip else "full", num_additional_image_tokens=int(clip))
    if kind == "gemma3":
        tower = config["vision_config"]
        size = dict(height=tower["image_size"], width=tower["image_size"])
        return Gemma3Processor(Gemma3ImageProcessorPil(size=size, **picture), tokenizer, chat_template=TEMPLATES[kind],
                               image_seq_length=config["mm_tokens_per_image"])
    raise ValueError(kind)


def token_ids(kind, tokenizer):
    ids = dict(eos_token_id=tokenizer.convert_tokens_to_ids(END[kind]), pad_token_id=tokenizer.convert_tokens_to_ids(PAD[kind]))
    if kind in ("idefics3", "smolvlm"):
        ids["image_token_id"] = tokenizer.convert_tokens_to_ids("<image>")
    if kind == "gemma3":
        for key, token in zip(("image_token_index", "boi_token_index", "eoi_token_index"), ("<image_soft_token>", "<start_of_image>", "<end_of_image>")):
            ids[key] = tokenizer.convert_tokens_to_ids(token)
    if kind == "llava_next":
        ids["image_token_index"] = tokenizer.convert_tokens_to_ids("<image>")
    return ids


class VisionGolden(Golden):
    alone = "two"

    def __init__(self, folder, name, variant, seed, saves=True):
        self.folder, self.name = folder / name, name
        self.folder.mkdir(parents=True, exist_ok=True)
        self.kind = kind = variant["kind"]
        self.special = SPECIAL[kind]
        self.tokenizer = make_tokenizer(kind)
        # a processor's own defaults go before those of its picture processor
        self.options = {key: value for key, value in variant["picture"].items() if "pan_and_scan" in key}
        self.processor = make_processor(kind, self.tokenizer, variant["config"], variant["picture"])
        ids = token_ids(kind, self.tokenizer)
        self.end, self.pad = ids["eos_token_id"], ids["pad_token_id"]
        self.config = AutoConfig.for_model(kind, **json.loads(json.dumps(variant["config"])), **ids)
        self.config.text_config.eos_token_id, self.config.text_config.pad_token_id = self.end, self.pad
        self.files = {}
        if saves:
            self.save_model(seed)
        self.prompts, self.inputs = {}, {}
        for prompt, (*turns, response) in PROMPTS.items():
            messages, names = [], []
            for i, parts in enumerate(turns):
                content = []
                for part in parts:
                    names += [part] if part in PICTURES else []
                    content.append(dict(type="image") if part in PICTURES else dict(type="text", text=part))
                messages.append(dict(role="assistant" if i % 2 else "user", content=content))
            render = lambda opens: self.processor.apply_chat_template(messages, tokenize=False, add_generation_prompt=opens)
            text = render(True)
            starts = self.tokenizer.bos_token is not None and text.startswith(self.tokenizer.bos_token)
            found = self.processor(text=[text], images=[[PICTURES[n] for n in names]] if names else None, return_tensors="pt",
                                   **(self.options if names else {}),
                                   **({"add_special_tokens": False} if starts else {}))
            self.inputs[prompt] = found
            ids = found["input_ids"][0].tolist()
            self.prompts[prompt] = dict(messages=messages, images=names, rendered=text, rendered_without_generation_prompt=render(False),
                                        input_ids=ids, response_text=response, response_ids=[*self.encode(response), self.end])

    def save_model(self, seed):
        torch.manual_seed(seed)
        model = AutoModelForImageTextToText.from_config(self.config, dtype=torch.float32)
        for name, parameter in model.named_parameters():
            with torch.no_grad():
                if parameter.dim() > 1:
                    parameter.normal_(0.0, 0.2)
                else:
                    parameter.add_(0.2 * torch.randn_like(parameter))
        model.bfloat16().save_pretrained(self.folder / "model")
        self.processor.save_pretrained(self.folder / "model")

    def load(self, dtype):
        model = AutoModelForImageTextToText.from_pretrained(self.folder / "model", dtype=torch.float32, attn_implementation="sdpa").eval()
        return wide(model) if dtype == torch.float64 else model

    def batch(self, prompts, with_response=False):
        found = super().batch(prompts, with_response)
        if self.kind == "gemma3":
            found["token_type_ids"] = (found["input_ids"] == self.config.image_token_index).int()
        shown = [self.inputs[name] for name in prompts if "pixel_values" in self.inputs[name]]
        if shown:
            found.update(self.pixels(shown, prompts))
        return found

    def pixels(self, shown, prompts):
        if self.kind in ("idefics3", "smolvlm"):
            most = max(each["pixel_values"].shape[1] for each in shown)
            fill = lambda x: torch.cat([x, x.new_zeros(1, most - x.shape[1], *x.shape[2:])], 1)
            return {key: torch.cat([fill(each[key]) for each in shown]) for key in ("pixel_values", "pixel_attention_mask")}
        if self.kind == "llava_next":
            most = max(each["pixel_values"].shape[1] for each in shown)
            fill = lambda x: torch.cat([x, x.new_zeros(x.shape[0], most - x.shape[1], *x.shape[2:])], 1)
            return dict(pixel_values=torch.cat([fill(each["pixel_values"]) for each in shown]),
                        image_sizes=torch.cat([each["image_sizes"] for each in shown]))
        if self.kind == "gemma3":
            return dict(pixel_values=torch.cat([each["pixel_values"] for each in shown]))
        raise ValueError(self.kind)

    def tiles(self, name):
        """[tiles, 3, height, width] of one picture, and its number of tokens."""
        texts = ["<start_of_image>" if self.kind == "gemma3" else "<image>"]
        found = self.processor(text=texts, images=[[PICTURES[name]]], return_tensors="pt", **self.options)
        pixels = found["pixel_values"].flatten(0, -4)
        image = self.config.image_token_id
        return pixels, (found["input_ids"] == image).sum().item()

    def generate(self, model, **options):
        inputs = self.batch(text_golden.BATCH)
        inputs.pop("position_ids")
        options = {"eos_token_id": None, **options}
        out = model.generate(**inputs, max_new_tokens=text_golden.STEPS, do_sample=False, output_logits=True,
                             return_dict_in_generate=True, pad_token_id=self.pad, **options)
        return out.sequences[:, inputs["input_ids"].shape[1]:].contiguous(), torch.stack(out.logits, 1)

    def merged_weight(self, model):
        text = "text_model" if self.kind in ("idefics3", "smolvlm") else "language_model"
        return f"model.{text}.layers.0.self_attn.q_proj.weight", getattr(model.base_model.model.model, text).layers[0].self_attn.q_proj.weight

    def make(self):
        gap, case = super().make()
        arrays, images = {}, {}
        for name in sorted({n for p in self.prompts.values() for n in p["images"]}):
            pixels, tokens = self.tiles(name)
            if name == "small":
                arrays[f"{name}/pixel_values"] = pixels.float().contiguous()
            flat = pixels.double().flatten()
            checks = dict(sum=flat.sum().item(), sum_of_squares=(flat**2).sum().item(),
                          weighted_sum=(flat * (torch.arange(len(flat)) % 97 + 1)).sum().item())
            images[name] = dict(png=f"images/{name}.png", tiles=pixels.shape[0], image_tokens=tokens, pixel_values_checks=checks)
        save_file(arrays, self.folder / "images.safetensors")
        self.files["images"] = dict(file="images.safetensors", arrays={})
        return gap, {**case, "images": images}


def random_text(kind, rng):
    heads = rng.choice([2, 4, 6])
    text = dict(TEXT, num_attention_heads=heads, num_key_value_heads=rng.choice([n for n in (1, 2, heads) if heads % n == 0]),
                hidden_size=heads * rng.choice([8, 12]), num_hidden_layers=rng.choice([1, 2, 3]), rms_norm_eps=rng.choice([1e-6, 1e-5]))
    text["model_type"] = kind = rng.choice(kind)
    rope = rng.choice([dict(rope_type="default"), dict(rope_type="linear", factor=2.5), text_golden.LLAMA3])
    text["rope_parameters"] = {**rope, "rope_theta": rng.choice([1e4, 1e6])}
    if kind != "qwen2" and rng.random() < 0.5:
        text["head_dim"] = rng.choice([6, 8, 16])
    if kind == "llama":
        text.update(attention_bias=rng.random() < 0.4, mlp_bias=rng.random() < 0.4)
    if kind == "mistral":
        text["sliding_window"] = rng.choice([None, 5, 40])
    return text


def random_tower(rng, patch, per_side):
    heads = rng.choice([1, 2, 4])
    return dict(hidden_size=heads * rng.choice([6, 8]), intermediate_size=rng.choice([12, 20]), num_hidden_layers=rng.choice([1, 2, 3]),
                num_attention_heads=heads, patch_size=patch, image_size=patch * per_side + rng.choice([0, 0, patch - 1]),
                hidden_act=rng.choice(["gelu_pytorch_tanh", "gelu", "quick_gelu"]), layer_norm_eps=rng.choice([1e-6, 1e-5]))


def random_pixels(rng):
    return rng.choice([{}, dict(image_mean=[0.48, 0.46, 0.41], image_std=[0.27, 0.26, 0.28]), dict(resample=rng.choice([1, 2, 3])),
                       dict(do_normalize=False), dict(rescale_factor=1 / 127.5, image_mean=[1.0] * 3, image_std=[1.0] * 3)])


def random_variant(kind, rng):
    if kind in ("idefics3", "smolvlm"):
        factor, patch = rng.choice([1, 2, 3]), rng.choice([3, 4, 7])
        per_side = factor * rng.choice([1, 2, 3])
        side = patch * per_side + rng.choice([0, patch - 1])
        tower = random_tower(rng, patch, per_side + rng.choice([0, 0, 1, 4]))
        config = dict(scale_factor=factor, tie_word_embeddings=rng.random() < 0.5, vision_config=tower,
                      text_config=random_text(["llama", "llama", "mistral", "qwen2"], rng))
        size = rng.choice([{"longest_edge": side}, {"longest_edge": 2 * side}, {"longest_edge": 2 * side + 5}, {"height": side, "width": 2 * side}])
        picture = dict(size=size, max_image_size={"longest_edge": side}, do_image_splitting=rng.random() < 0.75, **random_pixels(rng))
        return dict(kind=kind, config=config, picture=picture)
    if kind == "gemma3":
        heads, layers = rng.choice([2, 4]), rng.choice([2, 3])
        types = [rng.choice(["sliding_attention", "full_attention"]) for _ in range(layers)]
        rope = rng.choice([dict(rope_type="default"), dict(rope_type="linear", factor=3.7)])
        text = dict(TEXT, model_type="gemma3_text", num_attention_heads=heads, num_key_value_heads=rng.choice([1, heads]), hidden_size=heads * 12,
                    head_dim=rng.choice([8, 12, 16]), query_pre_attn_scalar=rng.choice([8, 12, 31]), sliding_window=rng.choice([2, 5, 9, 400]),
                    attention_bias=rng.random() < 0.3, num_hidden_layers=layers, layer_types=types,
                    rope_parameters=dict(full_attention={**rope, "rope_theta": rng.choice([1e4, 1e6])},
                                         sliding_attention=dict(rope_type="default", rope_theta=rng.choice([1e4, 5e3]))))
        tokens, square, patch = rng.choice([1, 2, 3]), rng.choice([1, 2, 3, 4]), rng.choice([2, 3, 5])
        tower = random_tower(rng, patch, tokens * square + (rng.choice([0, 1]) if square > tokens else 0))
        if rng.random() < 0.5:
            tower["vision_use_head"] = False
        picture = random_pixels(rng)
        if rng.random() < 0.6:
            picture = dict(picture, do_pan_and_scan=True, pan_and_scan_min_crop_size=rng.choice([8, 14, 20]),
                           pan_and_scan_max_num_crops=rng.choice([2, 3, 4]), pan_and_scan_min_ratio_to_activate=rng.choice([1.2, 1.4, 2.0]))
        config = dict(text_config=text, vision_config=tower, mm_tokens_per_image=tokens**2, tie_word_embeddings=rng.random() < 0.7)
        return dict(kind=kind, config=config, picture=picture)
    if kind == "llava_next":
        tower = random_tower(rng, rng.choice([3, 4, 7]), rng.choice([2, 3, 4]))
        tower["model_type"] = rng.choice(["clip_vision_model", "clip_vision_model", "siglip_vision_model"])
        side, depth = tower["image_size"], tower["num_hidden_layers"]
        grids = rng.sample([[1, 1], [1, 2], [2, 1], [2, 2], [1, 3], [3, 1], [2, 3]], rng.choice([1, 3, 5]))
        config = dict(text_config=random_text(["mistral", "mistral", "llama", "qwen2"], rng), vision_config=tower,
                      tie_word_embeddings=rng.random() < 0.3, multimodal_projector_bias=rng.random() < 0.6,
                      image_grid_pinpoints=[[side * a, side * b] for a, b in grids],
                      vision_feature_select_strategy="default" if tower["model_type"] == "clip_vision_model" else "full",
                      vision_feature_layer=rng.choice([-1, -2 if depth > 1 else -1, 0, [-1, 0], depth]))
        return dict(kind=kind, config=config, picture=random_pixels(rng))
    raise ValueError(kind)


def make(options):
    torch.set_num_threads(1)
    rng = random.Random(options.seed)
    kinds = options.types.split(",") if options.types else list(dict.fromkeys(v["kind"] for v in VARIANTS.values()))
    variants = {name: variant for name, variant in VARIANTS.items() if variant["kind"] in kinds}
    if options.random:
        variants = {f"{kind}_{i}": random_variant(kind, rng) for kind in kinds for i in range(options.random)}
    (options.folder / "images").mkdir(parents=True, exist_ok=True)
    for name, picture in PICTURES.items():
        picture.save(options.folder / f"images/{name}.png")
    families = {}
    for name, variant in variants.items():
        for attempt in range(100):
            # greedy decoding is compared to the token: no decision may be left to rounding
            gap, case = VisionGolden(options.folder, name, variant, options.seed + attempt).make()
            if gap >= 1e-3:
                break
        families[name] = case
        print(f"{name}: closest greedy decision {gap:.2e}", flush=True)
    cases = dict(smart_resize=dict(tables=[]), families=families)
    (options.folder / "cases.json").write_text(json.dumps(cases, indent=1) + "\n")


def read(folder, name, adapter, out):
    golden = VisionGolden(folder, name, VARIANTS[name], 0, saves=False)
    adapted = PeftModel.from_pretrained(golden.load(torch.float32), adapter).eval()
    with torch.no_grad():
        save_file({"logits": adapted(**golden.batch(["one"])).logits.contiguous()}, out)


def main():
    if sys.argv[1] == "read":
        return read(Path(sys.argv[2]), *sys.argv[3:6])
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["make", "read"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--types", default="")
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    text_golden.BATCH = BATCH
    make(parser.parse_args())


if __name__ == "__main__":
    main()
