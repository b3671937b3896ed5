"""TRL's GRPOTrainer on `vlgym/Canary-v1`: do pixels arrive at the policy that it trains?

A tiny Qwen3-VL with random weights would never write a tool call, so the four calls are four tokens of its tokenizer, and
`generate` draws among them by the model's own probabilities, given the pictures that TRL passes. Everything else is TRL's. With
`dropped` the pictures are blanked before the vision encoder: a trainer that loses them. The last line is JSON: the counts of
every episode, in the order of play.

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


class Canary(vlgym.trl.environment("vlgym/Canary-v1", options={"turns": TURNS, "size": SIDE})):
    """Keeps the counts of its episodes."""

    counts = []

    def _act(self, action):
        parts = super()._act(action)
        if self._turn.done:
            Canary.counts.append(self._turn.info["canary"])
        return parts


def blanked(_, inputs):
    return tuple(torch.zeros_like(each) if each.is_floating_point() else each for each in inputs)


def main():
    # twice, so that pairs of its words are frequent enough to merge
    tokenizer = make_tokenizer([templates.qwen3_vl_chat_template] * 2)
    calls = [f'<tool_call>\n{{"name": "{color}", "arguments": {{}}}}\n</tool_call>' for color in COLORS]
    tokenizer.add_tokens([*calls, "Done."])
    *choices, done = tokenizer.convert_tokens_to_ids([*calls, "Done."])
    model = make_model(tokenizer)
    response = tokenizer.convert_tokens_to_ids("<tool_response>")
    draws = torch.Generator().manual_seed(0)
    forward = model.forward

    @torch.no_grad()
    def generate(input_ids, generation_config=None, **inputs):
        inputs = {name: each for name, each in inputs.items() if torch.is_tensor(each)}
        logits = forward(input_ids=input_ids, logits_to_keep=1, **inputs).logits[:, -1, choices]
        drawn = torch.multinomial(logits.float().softmax(-1), 1, generator=draws)[:, 0].tolist()
        turns = (input_ids == response).sum(dim=1).tolist()
        written = [choices[color] if turn < TURNS else done for color, turn in zip(drawn, turns)]
        ends = [tokenizer.eos_token_id] * len(written)
        return torch.cat([input_ids, torch.tensor([written, ends]).T], dim=1)

    model.generate = generate
    if PICTURES == "dropped":
        model.model.visual.register_forward_pre_hook(blanked)
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
                learning_rate=1e-2,
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
