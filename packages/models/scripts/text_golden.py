"""Golden data of text-only families: random models of toy size by transformers, adapters by peft, and what they compute.

    python text_golden.py FOLDER [--types llama,qwen2,…] [--random N] [--seed S]

Without --random, the configurations in VARIANTS; with it, N random configurations of each type. `golden.ts` compares a
folder of this layout. Everything runs on the CPU, in float32 and in float64; in float64 norms and rotations are computed in
float64 too, with the frequencies of float32.
"""
import argparse
import json
import random
import types
from pathlib import Path

import torch
from peft import LoraConfig, get_peft_model
from safetensors.torch import save_file
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import AutoConfig, AutoModelForCausalLM, PreTrainedTokenizerFast
from transformers.generation.logits_process import TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper

TEMPLATE = (
    "{%- for message in messages %}{{- '<|im_start|>' + message.role + '\\n' }}{%- if message.content is string %}"
    "{{- message.content }}{%- else %}{%- for part in message.content %}{{- part.text }}{%- endfor %}{%- endif %}"
    "{{- '<|im_end|>\\n' }}{%- endfor %}{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}"
)
MERGES = ["t h", "th e", "Ġ the", "i n", "e r", "Ġ a", "o n", "r e", "Ġ w", "a n", "s t", "Ġ b", "u s", "us er", "s s",
          "a ss", "ass i", "assi st", "assist an", "assistan t"]
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
SIZES = dict(vocab_size=296, hidden_size=24, intermediate_size=28, num_hidden_layers=2, num_attention_heads=4,
             num_key_value_heads=2, max_position_embeddings=512, rms_norm_eps=1e-6)
LLAMA3 = dict(rope_type="llama3", rope_theta=5e5, factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0,
              original_max_position_embeddings=64)
VARIANTS = {
    "llama": dict(model_type="llama", tie_word_embeddings=True),
    "llama_scaled": dict(model_type="llama", attention_bias=True, mlp_bias=True, head_dim=12, rope_parameters=LLAMA3,
                         num_key_value_heads=1, rms_norm_eps=1e-5),
    "qwen2": dict(model_type="qwen2", rope_parameters=dict(rope_type="default", rope_theta=1e6), use_sliding_window=True,
                  sliding_window=7, max_window_layers=1),
    "mistral": dict(model_type="mistral", head_dim=8, sliding_window=6, tie_word_embeddings=False),
    "qwen3": dict(model_type="qwen3", head_dim=12, tie_word_embeddings=True,
                  rope_parameters=dict(rope_type="linear", rope_theta=1e6, factor=4.0)),
    "gemma3_text": dict(model_type="gemma3_text", head_dim=12, num_hidden_layers=3, sliding_window=5,
                        query_pre_attn_scalar=20,
                        layer_types=["sliding_attention", "full_attention", "sliding_attention"],
                        rope_parameters=dict(full_attention=dict(rope_type="linear", rope_theta=1e6, factor=8.0),
                                             sliding_attention=dict(rope_type="default", rope_theta=1e4))),
}
PROMPTS = {
    "short": (["Which way?"], "Go on."),
    "turns": (["the cat?", "On the wall.", "And?"], "a red one"),
    "system": (["Answer with one word."], "there"),
}
BATCH = ["short", "turns"]
STEPS = 6
LAST = 3


def random_config(kind, rng):
    heads = rng.choice([2, 4, 6])
    config = dict(model_type=kind, num_attention_heads=heads, num_key_value_heads=rng.choice([n for n in (1, 2, heads) if heads % n == 0]),
                  hidden_size=heads * rng.choice([8, 12, 16]), intermediate_size=rng.choice([24, 40, 56]),
                  num_hidden_layers=rng.choice([1, 2, 3]), tie_word_embeddings=rng.random() < 0.5,
                  rms_norm_eps=rng.choice([1e-6, 1e-5]))
    theta = rng.choice([1e4, 1e5, 1e6])
    rope = rng.choice([dict(rope_type="default"), dict(rope_type="linear", factor=rng.choice([2.0, 3.7])),
                       dict(LLAMA3, factor=rng.choice([8.0, 32.0]), original_max_position_embeddings=rng.choice([32, 64, 256]))])
    config["rope_parameters"] = {**rope, "rope_theta": theta}
    if kind == "gemma3_text":
        rope = {**rope, "rope_theta": theta} if rope["rope_type"] != "llama3" else dict(rope_type="default", rope_theta=theta)
        config.update(head_dim=rng.choice([8, 12, 16]), query_pre_attn_scalar=rng.choice([8, 12, 31]), sliding_window=rng.choice([2, 4, 9]),
                      attention_bias=rng.random() < 0.3, num_hidden_layers=3,
                      layer_types=rng.choice([["sliding_attention", "full_attention", "full_attention"], ["sliding_attention"] * 2 + ["full_attention"]]),
                      rope_parameters=dict(full_attention=rope, sliding_attention=dict(rope_type="default", rope_theta=rng.choice([1e4, 5e3]))))
        return config
    if kind != "qwen2" and rng.random() < 0.6:
        config["head_dim"] = rng.choice([6, 8, 16])
    if kind == "qwen3":
        config.setdefault("head_dim", 10)
    if kind == "mistral":
        config["sliding_window"] = rng.choice([None, 3, 7, 300])
        return config
    if kind in ("llama", "qwen3"):
        config["attention_bias"] = rng.random() < 0.5
    if kind == "llama":
        config["mlp_bias"] = rng.random() < 0.5
    elif rng.random() < 0.5:
        config.update(use_sliding_window=True, sliding_window=rng.choice([2, 3, 8]), max_window_layers=rng.choice([0, 1]))
    return config


def make_tokenizer():
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    merges = [tuple(merge.split()) for merge in MERGES]
    vocab = {token: i for i, token in enumerate(alphabet + ["".join(merge) for merge in merges])}
    tokenizer = Tokenizer(models.BPE(vocab=vocab, merges=merges))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in SPECIAL])
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token=SPECIAL[2], pad_token=SPECIAL[0], chat_template=TEMPLATE)


def wide(model):
    """The same in float64, with norms and rotations in float64."""
    model = model.double()

    def norm(self, x):
        weight = 1.0 + self.weight if "Gemma" in type(self).__name__ else self.weight
        eps = self.eps if hasattr(self, "eps") else self.variance_epsilon
        return weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps))

    def rotary(self, x, position_ids, layer_type=None):
        frequencies = getattr(self, f"{layer_type}_inv_freq" if layer_type else "inv_freq").double()
        angles = position_ids[..., None].double() * frequencies
        both = torch.cat((angles, angles), dim=-1)
        return both.cos(), both.sin()

    for module in model.modules():
        name = type(module).__name__
        if name.endswith("RMSNorm"):
            module.forward = types.MethodType(norm, module)
        elif name.endswith("RotaryEmbedding"):
            # a module cast to float64 keeps frequencies that were rounded to float32
            module.forward = types.MethodType(rotary, module)
    return model


class Golden:
    # the prompt that is compared by itself
    alone = "turns"
    special = SPECIAL

    def __init__(self, folder, name, config, seed):
        self.folder, self.name = folder / name, name
        self.folder.mkdir(parents=True, exist_ok=True)
        self.tokenizer = make_tokenizer()
        self.end, self.pad = (self.tokenizer.convert_tokens_to_ids(SPECIAL[i]) for i in (2, 0))
        self.config = AutoConfig.for_model(**{**SIZES, **config}, eos_token_id=self.end, pad_token_id=self.pad,
                                           bos_token_id=self.pad, attn_implementation="sdpa")
        self.files = {}
        self.save_model(seed)
        self.prompts = {}
        for prompt, (turns, response) in PROMPTS.items():
            messages = [dict(role="assistant" if i % 2 else "user", content=text) for i, text in enumerate(turns)]
            if prompt == "system":
                messages.insert(0, dict(role="system", content="Be brief."))
            render = lambda opens: self.tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=opens)
            self.prompts[prompt] = dict(
                messages=messages, images=[], rendered=render(True), rendered_without_generation_prompt=render(False),
                input_ids=self.encode(render(True)), response_text=response, response_ids=[*self.encode(response), self.end])

    def encode(self, text):
        return self.tokenizer.encode(text, add_special_tokens=False)

    def save_model(self, seed):
        torch.manual_seed(seed)
        model = AutoModelForCausalLM.from_config(self.config, dtype=torch.float32)
        for name, parameter in model.named_parameters():
            with torch.no_grad():
                if parameter.dim() > 1:
                    parameter.normal_(0.0, 0.2)
                else:
                    parameter.add_(0.2 * torch.randn_like(parameter))
        model.bfloat16().save_pretrained(self.folder / "model")
        self.tokenizer.save_pretrained(self.folder / "model")
        old = json.loads((self.folder / "model/config.json").read_text())
        rope = old.pop("rope_parameters")
        if "full_attention" in rope:
            old["rope_theta"], old["rope_local_base_freq"] = rope["full_attention"].pop("rope_theta"), rope["sliding_attention"]["rope_theta"]
            rope = rope["full_attention"]
        else:
            old["rope_theta"] = rope.pop("rope_theta")
        old["rope_scaling"] = None if rope["rope_type"] == "default" else rope
        (self.folder / "model/config.hub.json").write_text(json.dumps(old, indent=2))

    def load(self, dtype):
        model = AutoModelForCausalLM.from_pretrained(self.folder / "model", dtype=torch.float32, attn_implementation="sdpa").eval()
        return wide(model) if dtype == torch.float64 else model

    def batch(self, prompts, with_response=False):
        rows = [self.prompts[name]["input_ids"] + (self.prompts[name]["response_ids"] if with_response else []) for name in prompts]
        width = max(map(len, rows))
        ids = torch.tensor([[self.pad] * (width - len(row)) + row for row in rows])
        mask = torch.tensor([[0] * (width - len(row)) + [1] * len(row) for row in rows])
        positions = (mask.cumsum(-1) - 1).clamp(min=0)
        return dict(input_ids=ids, attention_mask=mask, position_ids=positions)

    def save(self, name, single, double, exact=None):
        """float32 arrays with their distance from float64; `exact` as they are."""
        arrays, notes = dict(exact or {}), {}
        for key, array in single.items():
            arrays[key] = array.detach().float().contiguous()
            notes[key] = dict(float32_vs_float64=dict(max_abs=(array.double() - double[key]).abs().max().item()))
        save_file(arrays, self.folder / f"{name}.safetensors")
        self.files[name] = dict(file=f"{name}.safetensors", arrays=notes)

    def forward(self, model):
        found = {}
        for name, prompts in (("one", [self.alone]), ("batch", BATCH)):
            inputs = self.batch(prompts)
            with torch.no_grad():
                out = model(**inputs, output_hidden_states=True)
            layers = len(out.hidden_states) - 1
            for k, states in enumerate(out.hidden_states):
                # hidden states of layers further in follow from these
                if k < layers and (name == "one" or k != 1):
                    continue
                key = "final" if k == layers else str(k)
                found[f"{name}/hidden/{key}"] = states * inputs["attention_mask"].unsqueeze(-1)
            found[f"{name}/logits_last"] = out.logits[:, -LAST:]
        return found

    def generate(self, model, **options):
        inputs = self.batch(BATCH)
        inputs.pop("position_ids")
        options = {"eos_token_id": None, **options}
        out = model.generate(**inputs, max_new_tokens=STEPS, do_sample=False, output_logits=True, return_dict_in_generate=True,
                             pad_token_id=self.pad, **options)
        tokens = out.sequences[:, inputs["input_ids"].shape[1]:]
        return tokens.contiguous(), torch.stack(out.logits, 1)

    def responses(self, model):
        inputs = self.batch(BATCH, with_response=True)
        labels = torch.full_like(inputs["input_ids"], -100)
        for row, name in enumerate(BATCH):
            count = len(self.prompts[name]["response_ids"])
            labels[row, -count:] = inputs["input_ids"][row, -count:]
        with torch.no_grad():
            logits = model(**inputs).logits
        found, next_ids = {}, inputs["input_ids"][:, 1:].unsqueeze(-1)
        for temperature in (1, 0.7):
            log = (logits[:, :-1] / temperature).log_softmax(-1)
            seen = (labels[:, 1:] != -100).to(log.dtype)
            found[f"response/logprobs_t{temperature}"] = log.gather(-1, next_ids).squeeze(-1) * seen
            found[f"response/entropy_t{temperature}"] = -(log.exp() * log).sum(-1) * seen
        warped = found["warped/logits"] = logits[:, -2]
        for warper in (TemperatureLogitsWarper(0.7), TopKLogitsWarper(20), TopPLogitsWarper(0.8)):
            warped = warper(None, warped)
        found["warped/probabilities"] = warped.softmax(-1)
        return found, labels

    def generations(self, single, double):
        tokens, logits = self.generate(single)
        top = logits.topk(2, -1).values
        gap = (top[..., 0] - top[..., 1]).min().item()
        ends = [int(tokens[0, 2]), int(tokens[1, 4])]
        found, labels = self.responses(single)
        doubled, _ = self.responses(double)
        sums = {f"t{t}": dict(sum_per_row=doubled[f"response/logprobs_t{t}"].sum(-1).tolist()) for t in (1, 0.7)}
        exact = {
            "greedy/tokens": tokens,
            "greedy_eos/tokens": self.generate(single, eos_token_id=ends)[0],
            "greedy_penalty/tokens": self.generate(single, repetition_penalty=1.3)[0],
            "response/labels": labels,
        }
        self.save("generate", {**found, "greedy/logits": logits}, {**doubled, "greedy/logits": self.generate(double)[1]}, exact)
        prompts = BATCH
        return gap, dict(greedy=dict(prompts=prompts), greedy_eos=dict(eos_token_id=ends, pad_token_id=self.pad),
                         greedy_penalty=dict(repetition_penalty=1.3), response=dict(prompts=prompts, logprobs_float64=sums))

    def lora(self):
        torch.manual_seed(7)
        options = LoraConfig(r=2, lora_alpha=4, target_modules="all-linear", rank_pattern={"q_proj": 3}, alpha_pattern={"v_proj": 3})
        adapted = get_peft_model(self.load(torch.float32), options)
        for name, parameter in adapted.named_parameters():
            if "lora_B" in name:
                torch.nn.init.normal_(parameter, 0.0, 0.2)
        adapted.save_pretrained(self.folder / "lora_language")
        (self.folder / "lora_language" / "README.md").unlink()
        path = self.folder / "lora_language/adapter_config.json"
        # the folder where this ran
        path.write_text(json.dumps({**json.loads(path.read_text()), "base_model_name_or_path": None}, indent=2) + "\n")
        runs = []
        for dtype in (torch.float32, torch.float64):
            runs.append(self.train(dtype))
        (single, losses), (double, losses64) = runs
        stored = {key: value for key, value in single.items() if "/" not in key or "merged" in key or ".layers.0." in key and
                  ("k_proj" in key or "o_proj" in key or "down_proj" in key)}
        stored = {key: value for key, value in stored.items() if not key.startswith("grad/") or value.any()}
        self.save("lora_language", stored, double, {"losses": torch.tensor(losses)})
        keys = sorted(key[5:] for key in single if key.startswith("grad/"))
        norms = [double[f"grad/{key}"].norm().item() for key in keys]
        return dict(lora_language=dict(folder="lora_language", grad_keys=keys, grad_norms_float64=norms, losses_float64=losses64))

    def merged_weight(self, model):
        return "model.layers.0.self_attn.q_proj.weight", model.base_model.model.model.layers[0].self_attn.q_proj.weight

    def train(self, dtype):
        from peft import PeftModel
        model = PeftModel.from_pretrained(self.load(dtype), self.folder / "lora_language", is_trainable=True)
        model = model.to(dtype).eval()
        inputs = self.batch(BATCH, with_response=True)
        _, labels = self.responses(model)
        found = {}
        with torch.no_grad():
            found["logits_last"] = model(**inputs).logits[:, -LAST:]
            model.merge_adapter()
            found["logits_merged_last"] = model(**inputs).logits[:, -LAST:]
            name, weight = self.merged_weight(model)
            found[f"merged/{name}"] = weight.clone()
            model.unmerge_adapter()
        trained = {name.replace(".default", ""): p for name, p in model.named_parameters() if p.requires_grad}
        optimizer = torch.optim.AdamW(trained.values(), lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0)

        def loss():
            logits = model(**inputs).logits[:, :-1]
            return torch.nn.functional.cross_entropy(logits.flatten(0, 1), labels[:, 1:].flatten(), ignore_index=-100)

        losses = []
        for step in range(1, 6):
            optimizer.zero_grad()
            value = loss()
            losses.append(value.item())
            value.backward()
            if step == 1:
                for name, parameter in trained.items():
                    # layers whose output nothing reads have none
                    found[f"grad/{name}"] = torch.zeros_like(parameter) if parameter.grad is None else parameter.grad.clone()
                found["grad_norms"] = torch.stack([found[f"grad/{name}"].norm() for name in sorted(trained)])
            optimizer.step()
            if step == 1:
                found.update({f"after{step}/{name}": p.detach().clone() for name, p in trained.items()})
        with torch.no_grad():
            losses.append(loss().item())
        return found, losses

    def make(self):
        single, double = self.load(torch.float32), self.load(torch.float64)
        self.save("forward", self.forward(single), self.forward(double))
        gap, generate = self.generations(single, double)
        lora = self.lora()
        inputs = self.batch(BATCH)
        texts = ["the rain in Spain", " then  a\ttab\n", "", "naïve — ünïcode 日本", f"{self.tokenizer.eos_token}the end"]
        text = dict(
            special_token_ids={token: self.tokenizer.convert_tokens_to_ids(token) for token in self.special},
            tokenizer=[dict(text=t, ids=self.encode(t), decoded=self.tokenizer.decode(self.encode(t)),
                            decoded_skipping_special=self.tokenizer.decode(self.encode(t), skip_special_tokens=True)) for t in texts],
            prompts=self.prompts,
            left_padded_batch=dict(prompts=BATCH, input_ids=inputs["input_ids"].tolist(), attention_mask=inputs["attention_mask"].tolist()))
        (self.folder / "text.json").write_text(json.dumps(text, ensure_ascii=False) + "\n")
        return gap, dict(folder=self.name, model="model", files=self.files, images={},
                         forward=dict(one=dict(prompts=[self.alone]), batch=dict(prompts=BATCH)), generate=generate, lora=lora)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--types", default=",".join(dict.fromkeys(v["model_type"] for v in VARIANTS.values())))
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    torch.set_num_threads(1)
    kinds = options.types.split(",")
    rng = random.Random(options.seed)
    variants = {name: config for name, config in VARIANTS.items() if config["model_type"] in kinds}
    if options.random:
        variants = {f"{kind}_{i}": random_config(kind, rng) for kind in kinds for i in range(options.random)}
    families = {}
    for name, config in variants.items():
        for attempt in range(100):
            # greedy decoding is compared to the token: no decision may be left to rounding
            gap, case = Golden(options.folder, name, config, options.seed + attempt).make()
            if gap >= 1e-3:
                break
        families[name] = case
        print(f"{name}: closest greedy decision {gap:.2e}")
    cases = dict(smart_resize=dict(tables=[]), families=families)
    (options.folder / "cases.json").write_text(json.dumps(cases, indent=1) + "\n")


if __name__ == "__main__":
    main()
