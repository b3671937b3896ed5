"""Golden data of tokenizers with pieces of text and bytes: small BPE vocabularies of random merges, as the files of Llama 2 and
Gemma spell them, with ids and texts by Hugging Face's `tokenizers`.

    python piece_golden.py FILE [--random N] [--seed S]

Without --random, the texts in TEXTS; with it, N random texts and id lists more for each tokenizer.
"""
import argparse
import json
import random

from tokenizers import Tokenizer

SPACE = "\u2581"
MERGES = ["t h", "th e", f"{SPACE} the", "i n", "e r", f"{SPACE} a", "o n", "r e", f"{SPACE} w", "a n", "s t", f"{SPACE} b", "e s",
          "l e", "le f", "lef t", f"{SPACE} left", f"{SPACE} {SPACE}", f"{SPACE}{SPACE} {SPACE}{SPACE}", "1 0", "\n \n",
          "h e", "he l", "hel l", "hell o", f"{SPACE} hello", "a a", "aa aa"]
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:;!?'\"{}[]()+-*/=<>|\n" + SPACE + "é€"
SPECIAL = ["<unk>", "<s>", "</s>", "<|im_end|>"]
REPLACE = {"type": "Replace", "pattern": {"String": " "}, "content": SPACE}
BACK = [{"type": "Replace", "pattern": {"String": SPACE}, "content": " "}, {"type": "ByteFallback"}, {"type": "Fuse"}]
STRIP = {"type": "Strip", "content": " ", "start": 1, "stop": 0}
KINDS = {
    "llama2": dict(
        normalizer={"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": SPACE}, REPLACE]},
        pre_tokenizer=None,
        decoder={"type": "Sequence", "decoders": [*BACK, STRIP]},
    ),
    "gemma": dict(
        normalizer=REPLACE,
        pre_tokenizer={"type": "Split", "pattern": {"String": " "}, "behavior": "MergedWithPrevious", "invert": False},
        decoder={"type": "Sequence", "decoders": BACK},
    ),
    "mistral": dict(
        normalizer=None,
        pre_tokenizer={"type": "Metaspace", "replacement": SPACE, "prepend_scheme": "first", "split": False},
        decoder={"type": "Sequence", "decoders": [*BACK, STRIP]},
    ),
}
TEXTS = ["", " ", "left", " left", "  left  the ", "hello the left\n\nhello", "aaaaaaaaa", "été 10 €uro", "中文 😀 mixed", "\t tab\r\n",
         "a<|im_end|>b", "<s>hello", "hello</s> the <s> a", f"a{SPACE}b", "<0x41> is not a byte", '{"action": "left"}', "e\u0301"]


def definition(kind):
    tokens = [*SPECIAL, *(f"<0x{byte:02X}>" for byte in range(256)), *LETTERS]
    for merge in MERGES:
        left, right = merge.split(" ", 1)
        tokens.append(left + right)
    added = [dict(id=i, content=token, single_word=False, lstrip=False, rstrip=False, normalized=False, special=True)
             for i, token in enumerate(SPECIAL)]
    added.append(dict(id=len(tokens), content="<tool>", single_word=False, lstrip=False, rstrip=False, normalized=False, special=False))
    model = dict(type="BPE", dropout=None, unk_token="<unk>", continuing_subword_prefix=None, end_of_word_suffix=None,
                 fuse_unk=True, byte_fallback=True, ignore_merges=False, vocab={t: i for i, t in enumerate(tokens)},
                 merges=[merge.split(" ", 1) for merge in MERGES])
    return dict(version="1.0", truncation=None, padding=None, added_tokens=added, post_processor=None, model=model, **KINDS[kind])


def random_text(rng):
    parts = ["a", "the", " ", "  ", "left", "hello", "é", "中", "😀", "\n", "<s>", "<tool>", "10", SPACE, "\u0301", "<0x0A>", "b"]
    return "".join(rng.choice(parts) for _ in range(rng.randrange(14)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    result = {}
    for kind in KINDS:
        json_definition = definition(kind)
        tokenizer = Tokenizer.from_str(json.dumps(json_definition))
        size = tokenizer.get_vocab_size()
        texts = TEXTS + [random_text(rng) for _ in range(options.random)]
        lists = [[rng.randrange(size) if rng.random() < 0.4 else 4 + rng.choice([0xE4, 0xB8, 0xAD, 0x41, 0xC3, 0xA9])
                  for _ in range(rng.randrange(8))] for _ in range(max(40, options.random))]
        result[kind] = dict(
            definition=json_definition,
            encoded=[[text, tokenizer.encode(text, add_special_tokens=False).ids] for text in texts],
            decoded=[[ids, tokenizer.decode(ids, skip_special_tokens=True)] for ids in lists],
        )
    with open(options.file, "w") as file:
        json.dump(result, file, ensure_ascii=True, separators=(",", ":"))


main()
