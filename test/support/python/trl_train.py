"""Two steps of TRL's GRPOTrainer on a tiny vision-language model with random weights; the environment is vlgym's.

A random model would never call a tool, so its `generate` writes a call and then an answer. Everything else is TRL's: tools
found on the class, prompts and tool answers with pictures, rewards, losses, steps of the optimizer. Prints one line of JSON.
"""

import json
import sys
import tempfile

import torch
from tiny_qwen3_vl import make_model, make_processor, make_tokenizer
from trl import GRPOConfig, GRPOTrainer

import vlgym.trl

ENV = sys.argv[1]


def main():
    tokenizer = make_tokenizer()
    model = make_model(tokenizer)
    # the rollouts of a group act differently, so that there is something to learn
    calls = [
        tokenizer.encode(f'<tool_call>\n{{"name": "{name}", "arguments": {{}}}}\n</tool_call><|im_end|>')
        for name in ("stand", "hit")
    ]
    answer = tokenizer.encode("Done.<|im_end|>")
    seen = {"pictures": 0, "calls": 0}
    pictured = model.config.image_token_id

    def generate(input_ids, **_):
        seen["pictures"] += int((input_ids == pictured).any(dim=1).sum())
        # a rollout whose tool was not answered yet calls it
        response = tokenizer.convert_tokens_to_ids("<tool_response>")
        rows = []
        for index, ids in enumerate(input_ids):
            is_answered = bool((ids == response).any())
            seen["calls"] += not is_answered
            rows.append(answer if is_answered else calls[index % len(calls)])
        width = max(map(len, rows))
        padded = [row + [tokenizer.pad_token_id] * (width - len(row)) for row in rows]
        return torch.cat([input_ids, torch.tensor(padded)], dim=1)

    model.generate = generate
    with tempfile.TemporaryDirectory() as folder:
        trainer = GRPOTrainer(
            model=model,
            processing_class=make_processor(tokenizer),
            environment_factory=vlgym.trl.environment(ENV),
            args=GRPOConfig(
                output_dir=folder,
                max_steps=2,
                num_generations=2,
                per_device_train_batch_size=2,
                max_completion_length=4096,
                learning_rate=1e-3,
                logging_steps=1,
                save_strategy="no",
                report_to=[],
                use_cpu=True,
                bf16=False,
                gradient_checkpointing=False,
                beta=0.0,
            ),
        )
        before = [parameter.detach().clone() for parameter in model.parameters()]
        trainer.train()
        changed = sum(not torch.equal(a, b) for a, b in zip(before, model.parameters()))
    logs = [entry for entry in trainer.state.log_history if "loss" in entry]
    print(
        json.dumps(
            {
                "steps": trainer.state.global_step,
                "tools": sorted(tool.__name__ for tool in trainer.tools),
                "rewards": [entry["reward"] for entry in logs],
                "tool_calls": [entry.get("tools/call_frequency") for entry in logs],
                "failures": [entry.get("tools/failure_frequency") for entry in logs],
                "pictures": seen["pictures"],
                "calls": seen["calls"],
                "changed": changed > 0,
                "finite": all(torch.isfinite(p).all() for p in model.parameters()),
            },
            default=bool,
        )
    )


main()
