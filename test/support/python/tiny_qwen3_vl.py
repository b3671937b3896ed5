"""A tiny Qwen3-VL with random weights, its tokenizer, and its processor with TRL's chat template."""

import torch
import transformers
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast, Qwen3VLConfig, Qwen3VLForConditionalGeneration
from trl import chat_template_utils as templates

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


def make_tokenizer(texts=()):
    """Bytes, and merges learned from texts, which make prompts of their kind shorter."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    core = Tokenizer(models.BPE({letter: index for index, letter in enumerate(alphabet)}, []))
    core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    core.decoder = decoders.ByteLevel()
    if texts:
        trainer = trainers.BpeTrainer(vocab_size=1024, initial_alphabet=alphabet, show_progress=False)
        core.train_from_iterator(texts, trainer)
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


def make_processor(tokenizer, side=64):
    pixels = {"size": {"shortest_edge": 32 * 32, "longest_edge": side * side}, "patch_size": 16}
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
