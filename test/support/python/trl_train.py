"""Two steps of TRL's GRPOTrainer on a tiny vision-language model with random weights; the environment is vlgym's.

A random model would never call a tool, so its `generate` writes a call and then an answer. Everything else is TRL's: tools
found on the class, prompts and tool answers with pictures, rewards, losses, steps of the optimizer. Prints one line of JSON.
"""

import json
import sys
import tempfile

import torch
import transformers
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen3VLConfig, Qwen3VLForConditionalGeneration
from trl import GRPOConfig, GRPOTrainer
from trl import chat_template_utils as templates

import vlgym.trl

ENV = sys.argv[1]
SPECIALS = [
    "<|endoftext|>",
    "<|im_start|>",
    "<|im_end|>",
    "<|vision_start|>",
    "<|vision_end|>",
    "<|image_pad|>",
    "<|video_pad|>",
]
PLAIN = ["<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "<think>", "</think>"]


def make_tokenizer():
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    core = Tokenizer(models.BPE({letter: index for index, letter in enumerate(alphabet)}, []))
    core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    core.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=core, eos_token=SPECIALS[2], pad_token=SPECIALS[0])
    tokenizer.add_special_tokens({"additional_special_tokens": SPECIALS})
    tokenizer.add_tokens(PLAIN)
    for name, token in (("image", "<|image_pad|>"), ("video", "<|video_pad|>")):
        setattr(tokenizer, f"{name}_token", token)
        setattr(tokenizer, f"{name}_token_id", tokenizer.convert_tokens_to_ids(token))
    for name in ("vision_start", "vision_end"):
        setattr(tokenizer, f"{name}_token", f"<|{name}|>")
        setattr(tokenizer, f"{name}_token_id", tokenizer.convert_tokens_to_ids(f"<|{name}|>"))
    return tokenizer


def make_processor(tokenizer):
    pixels = {"size": {"shortest_edge": 32 * 32, "longest_edge": 64 * 64}, "patch_size": 16}
    return transformers.Qwen3VLProcessor(
        image_processor=transformers.Qwen2VLImageProcessor(**pixels),
        video_processor=transformers.Qwen3VLVideoProcessor(),
        tokenizer=tokenizer,
        chat_template=templates.qwen3_vl_chat_template,
    )


def make_model(tokenizer):
    torch.manual_seed(0)
    layers = {"num_attention_heads": 2, "hidden_size": 16, "intermediate_size": 32}
    config = Qwen3VLConfig(
        text_config={
            **layers,
            "vocab_size": len(tokenizer),
            "num_hidden_layers": 2,
            "num_key_value_heads": 1,
            "head_dim": 8,
            "rope_scaling": {"rope_type": "default", "mrope_section": [2, 1, 1], "mrope_interleaved": True},
            "max_position_embeddings": 16384,
        },
        vision_config={
            "depth": 2,
            "hidden_size": 16,
            "intermediate_size": 32,
            "num_heads": 2,
            "out_hidden_size": 16,
            "patch_size": 16,
            "deepstack_visual_indexes": [0],
            "num_position_embeddings": 64,
        },
        image_token_id=tokenizer.image_token_id,
        video_token_id=tokenizer.video_token_id,
        vision_start_token_id=tokenizer.vision_start_token_id,
        vision_end_token_id=tokenizer.vision_end_token_id,
        tie_word_embeddings=True,
    )
    return Qwen3VLForConditionalGeneration(config)


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
