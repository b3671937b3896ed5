"""Golden data of vocabularies of SentencePiece as GGUF files hold them: pieces, scores and types of a small BPE that the library
trains here, with its ids of texts.

    python sentencepiece_golden.py FILE [--random N] [--seed S] [--gguf MODEL.gguf]

With --gguf, packs the vocabulary with a model of toy size, for `vlgym models import` and llama.cpp. Needs: sentencepiece; gguf and
numpy for --gguf.
"""
import argparse
import io
import json
import random

import sentencepiece

WORDS = """you turn left right and go forward open the red green door key box ball pick up drop toggle action thought
number cards formula current target step reward observation environment agent answer question where which what next
kitchen table drawer cabinet apple mug 1 2 10 12 24 3.5 {"action": "left"} (4 + 2) * 3 = 18 hello world été naïve""".split()
TEXTS = ["", " ", "left", " left", "  left  the ", "hello the left\n\nhello", "aaaaaaaaa", "été 10 €uro", "中文 😀 mixed", "\t tab\r\n",
         "a▁b", '{"action": "left"}', "e\u0301", "You turn left.", "the the  the   the", "<0x41> is no byte"]
PARTS = [*WORDS, "a", " ", "  ", "é", "中", "😀", "\n", "▁", "\u0301", "<0x0A>", ".", ", "]
TYPES = dict(normal=1, unknown=2, control=3, user=4, unused=5, byte=6)


def train(seed):
    rng = random.Random(seed)
    corpus = [" ".join(rng.choice(WORDS) for _ in range(rng.randrange(3, 12))) for _ in range(2000)]
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(corpus), model_writer=model, model_type="bpe", vocab_size=480, byte_fallback=True,
        character_coverage=1.0, normalization_rule_name="identity", remove_extra_whitespaces=False, allow_whitespace_only_pieces=True,
        user_defined_symbols=["<tool>"], minloglevel=2, num_threads=1,
    )
    return sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())


def vocabulary(processor):
    def kind(id):
        checks = dict(unknown=processor.is_unknown, control=processor.is_control, unused=processor.is_unused, byte=processor.is_byte)
        found = next((name for name, check in checks.items() if check(id)), "normal")
        return TYPES["user" if processor.id_to_piece(id) == "<tool>" else found]

    ids = range(processor.vocab_size())
    return dict(tokens=[processor.id_to_piece(id) for id in ids], scores=[processor.get_score(id) for id in ids],
                types=[kind(id) for id in ids])


def write_gguf(path, words):
    import numpy
    from gguf import GGUFWriter

    width, heads, random = 32, 4, numpy.random.default_rng(1)
    writer = GGUFWriter(path, "llama")
    writer.add_block_count(1)
    writer.add_context_length(512)
    writer.add_embedding_length(width)
    writer.add_feed_forward_length(width)
    writer.add_head_count(heads)
    writer.add_head_count_kv(heads)
    writer.add_rope_dimension_count(width // heads)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_tokenizer_model("llama")
    writer.add_tokenizer_pre("default")
    writer.add_token_list([token.encode() for token in words["tokens"]])
    writer.add_token_scores(words["scores"])
    writer.add_token_types(words["types"])
    writer.add_unk_token_id(0)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    shapes = {"token_embd": (len(words["tokens"]), width), "output_norm": (width,), "blk.0.attn_norm": (width,), "blk.0.ffn_norm": (width,)}
    parts = ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")
    shapes |= {f"blk.0.{part}": (width, width) for part in parts}
    for name, shape in shapes.items():
        writer.add_tensor(f"{name}.weight", random.normal(0, 0.1, shape).astype(numpy.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--random", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--gguf")
    options = parser.parse_args()
    processor = train(0)
    words = vocabulary(processor)
    rng = random.Random(options.seed)
    texts = TEXTS + ["".join(rng.choice(PARTS) for _ in range(rng.randrange(1, 10))) for _ in range(options.random)]
    encoded = [[text, processor.encode(text)] for text in texts]
    with open(options.file, "w") as file:
        json.dump(dict(**words, encoded=encoded), file, ensure_ascii=True, separators=(",", ":"))
        file.write("\n")
    if options.gguf:
        write_gguf(options.gguf, words)


main()
