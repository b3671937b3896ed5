"""TRL's GRPOTrainer on `vlgym/Canary-v1`: do pixels arrive at the policy that it trains?

A tiny Qwen3-VL with random weights would hardly write a tool call, so `generate` writes one and leaves the color to the
model: a draw from its own probabilities of the four names, given the pictures that TRL passes. A warm start on words alone
makes the rest of a call certain, so that rewards teach the color and nothing else. Everything else is TRL's. With `dropped` the
pictures are blanked before the vision encoder: a trainer that loses them. The last line is JSON: the counts of every
episode, in the order of play.

    python trl_canary.py intact|dropped STEPS
"""

import json
import sys
import tempfile

import torch
from datasets import Dataset
from tiny_qwen3_vl import make_model, make_processor, make_tokenizer
from trl import GRPOConfig, GRPOTrainer
from trl import chat_template_utils as templates

import vlgym.trl

PICTURES, STEPS = sys.argv[1], int(sys.argv[2])
COLORS = ("red", "green", "blue", "yellow")
TURNS = 2
# a picture of 36 tokens among 600 words is found sooner than one of 4
SIDE = 192
GROUP = 8
BATCH = 64
RATE = 1e-2
WARM_UP = 150


def imitate(model, tokenizer, answers):
    """Steps of cross-entropy on answers after words that say nothing: the form of a call, each color equally often."""
    words = tokenizer.encode(templates.qwen3_vl_chat_template)
    start = tokenizer.encode("<|im_start|>assistant\n")
    width = max(map(len, answers))
    padded = [answer + [tokenizer.pad_token_id] * (width - len(answer)) for answer in answers]
    optimizer = torch.optim.Adam(model.parameters(), lr=RATE)
    for step in range(WARM_UP):
        before = words[step % 200 :][: 100 + 7 * step % 300] + start
        ids = torch.tensor([before + answer for answer in padded])
        labels = ids.masked_fill(ids == tokenizer.pad_token_id, -100)
        labels[:, : len(before)] = -100
        optimizer.zero_grad()
        model(input_ids=ids, labels=labels).loss.backward()
        optimizer.step()


class Canary(vlgym.trl.environment("vlgym/Canary-v1", options={"turns": TURNS, "size": SIDE})):
    """Keeps the counts of its episodes."""

    counts = []

    def _act(self, action):
        parts = super()._act(action)
        if self._turn.done:
            Canary.counts.append(self._turn.info["canary"])
        return parts


def main():
    # twice, so that pairs of its words are frequent enough to merge
    tokenizer = make_tokenizer([templates.qwen3_vl_chat_template, json.dumps(COLORS)] * 2)
    model = make_model(tokenizer)
    calls = [
        tokenizer.encode(f'<tool_call>\n{{"name": "{color}", "arguments": {{}}}}\n</tool_call><|im_end|>')
        for color in COLORS
    ]
    # the names differ in their first letter: one token decides
    fork = next(place for place, ids in enumerate(zip(*calls)) if len(set(ids)) > 1)
    prefix, choices = calls[0][:fork], [call[fork] for call in calls]
    answer = tokenizer.encode("Done.<|im_end|>")
    response = tokenizer.convert_tokens_to_ids("<tool_response>")
    draws = torch.Generator().manual_seed(0)
    forward = model.forward
    imitate(model, tokenizer, calls)

    @torch.no_grad()
    def generate(input_ids, attention_mask=None, mm_token_type_ids=None, generation_config=None, **inputs):
        inputs = {name: inputs[name] for name in ("pixel_values", "image_grid_thw") if name in inputs}
        rows = len(input_ids)
        if mm_token_type_ids is not None:
            inputs["mm_token_type_ids"] = torch.nn.functional.pad(mm_token_type_ids, (0, fork))
        logits = forward(
            input_ids=torch.cat([input_ids, torch.tensor(prefix).expand(rows, fork)], dim=1),
            attention_mask=torch.nn.functional.pad(attention_mask, (0, fork), value=1),
            logits_to_keep=1,
            **inputs,
        ).logits[:, -1, choices]
        drawn = torch.multinomial(logits.float().softmax(-1), 1, generator=draws)[:, 0].tolist()
        turns = (input_ids == response).sum(dim=1).tolist()
        written = [calls[color] if turn < TURNS else answer for color, turn in zip(drawn, turns)]
        width = max(map(len, written))
        padded = [row + [tokenizer.pad_token_id] * (width - len(row)) for row in written]
        return torch.cat([input_ids, torch.tensor(padded)], dim=1)

    model.generate = generate
    if PICTURES == "dropped":
        blank = lambda _, args, words: (tuple(torch.zeros_like(each) if each.is_floating_point() else each for each in args), words)  # noqa: E731
        model.model.visual.register_forward_pre_hook(blank, with_kwargs=True)
    with tempfile.TemporaryDirectory() as folder:
        GRPOTrainer(
            model=model,
            processing_class=make_processor(tokenizer, SIDE),
            environment_factory=Canary,
            # without seeds of a dataset all rollouts of a step show the same colors
            train_dataset=Dataset.from_list(
                [{"prompt": [{"role": "user", "content": ""}], "seed": seed} for seed in range(STEPS * BATCH // GROUP)]
            ),
            args=GRPOConfig(
                output_dir=folder,
                max_steps=STEPS,
                num_generations=GROUP,
                per_device_train_batch_size=BATCH,
                max_completion_length=4096,
                learning_rate=RATE,
                lr_scheduler_type="constant",
                warmup_steps=0,
                logging_steps=5,
                save_strategy="no",
                report_to=[],
                use_cpu=True,
                bf16=False,
                gradient_checkpointing=False,
                beta=0.0,
                seed=0,
            ),
        ).train()
    print(json.dumps({"steps": STEPS, "episodes": Canary.counts}))


main()
