/** Model folders and adapters of strangers, made of good ones. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Generator } from '@vlgym/core';
import { odd, spoil } from './hostile-json.js';
import { type Spoiled, spoilWeights } from './hostile-safetensors.js';

type Json = Record<string, never>;

const MODEL_FILES = [
  'config.json',
  'tokenizer.json',
  'tokenizer_config.json',
  'generation_config.json',
  'preprocessor_config.json',
];
const FILES = [
  ...MODEL_FILES,
  'chat_template.json',
  'chat_template.jinja',
  'processor_config.json',
  'model.safetensors',
  'model.safetensors.index.json',
];
const ADAPTER_FILES = ['adapter_config.json', 'adapter_model.safetensors'];
const NEEDED = new Set([
  'config.json',
  'tokenizer.json',
  'preprocessor_config.json',
  'model.safetensors',
  ...ADAPTER_FILES,
]);

/** Changes the folder `model` or `adapter` in a home that has both. */
export function spoilFolder(rng: Generator, home: string): Spoiled & { readonly adapter: boolean } {
  const adapter = rng.random() < 0.25;
  const spoiled = adapter ? spoilAdapter(rng, join(home, 'adapter')) : spoilModel(rng, join(home, 'model'));
  return { ...spoiled, name: `${adapter ? 'adapter' : 'model'}: ${spoiled.name}`, adapter };
}

function spoilModel(rng: Generator, folder: string): Spoiled {
  return rng.choice<() => Spoiled>([
    () => notAFile(rng, folder, rng.choice(FILES)),
    () => spoilJson(rng, folder, rng.choice(MODEL_FILES)),
    () => spoilJson(rng, folder, rng.choice(MODEL_FILES)),
    () => spoilTokenizer(rng, folder),
    () => spoilTokenizer(rng, folder),
    () => spoilWeights(rng, join(folder, 'model.safetensors')),
    () => spoilWeights(rng, join(folder, 'model.safetensors')),
    () => spoilTemplate(rng, folder),
    () => spoilTemplate(rng, folder),
    () => spoilIndex(rng, folder),
  ])();
}

function spoilAdapter(rng: Generator, folder: string): Spoiled {
  return rng.choice<() => Spoiled>([
    () => notAFile(rng, folder, rng.choice(ADAPTER_FILES)),
    () => spoilJson(rng, folder, 'adapter_config.json'),
    () => spoilWeights(rng, join(folder, 'adapter_model.safetensors')),
    () => {
      const [key, value, refuse] = rng.choice<[string, unknown, boolean]>([
        ['r', rng.choice([0, -1, 4, 1e9, 2 ** 53, 1.5, '8']), true],
        ['lora_alpha', rng.choice([Number.NaN, '16', null]), true],
        ['lora_alpha', rng.choice([0, -16, 1e300]), false],
        ['target_modules', '(a+)+$'.repeat(3), false],
        ['target_modules', `^(${'a?'.repeat(30)}${'a'.repeat(30)})*(.*)*x$`, false],
        ['rank_pattern', { '(([a-z._0-9])+)+!': 4 }, false],
        ['modules_to_save', ['lm_head'], true],
        ['use_dora', true, true],
        ['bias', 'all', true],
        ['peft_type', 'IA3', true],
        ['fan_in_fan_out', true, true],
        ['layers_to_transform', odd(rng), false],
      ]);
      change(folder, 'adapter_config.json', (json) => Object.assign(json, { [key]: value }));
      return { name: `${key} ${shown(value)}`, refuse };
    },
  ])();
}

/** A pipe, a folder, a device, a link without an end, or a file of nothing but size, where a file is expected. */
function notAFile(rng: Generator, folder: string, name: string): Spoiled {
  const path = join(folder, name);
  rmSync(path, { recursive: true, force: true });
  const kinds: [string, () => void][] = [
    ['a pipe', () => execFileSync('mkfifo', [path])],
    ['a folder', () => mkdirSync(path)],
    ['/dev/zero', () => symlinkSync('/dev/zero', path)],
    ['a link to itself', () => symlinkSync(name, path)],
    [
      'a gigabyte of nothing',
      () => {
        writeFileSync(path, '');
        truncateSync(path, 2 ** 30);
      },
    ],
    ['nothing', () => {}],
    ['an empty file', () => writeFileSync(path, '')],
    ['bytes', () => writeFileSync(path, Buffer.from(Array.from({ length: 300 }, () => rng.integers(256))))],
    ['depth', () => writeFileSync(path, '['.repeat(500_000))],
    ['a number', () => writeFileSync(path, '1')],
  ];
  const [what, write] = rng.choice(kinds);
  write();
  return { name: `${what} as ${name}`, refuse: NEEDED.has(name) };
}

function spoilJson(rng: Generator, folder: string, name: string): Spoiled {
  let places: string[] = [];
  change(folder, name, (json) => {
    places = spoil(rng, json);
  });
  return { name: `${name}: ${places.join(', ')}`, refuse: false };
}

function spoilTokenizer(rng: Generator, folder: string): Spoiled {
  interface Tokenizer {
    model: { vocab: Record<string, unknown>; merges: unknown[] };
    added_tokens: Record<string, unknown>[];
    [part: string]: unknown;
  }
  const nested = (type: string, part: string, inner: unknown) => {
    let value = inner;
    for (let level = 0; level < 20_000; level += 1) value = { type, [part]: [value] };
    return value;
  };
  const split = (pattern: string) => ({
    type: 'Split',
    pattern: { Regex: pattern },
    behavior: 'Isolated',
    invert: false,
  });
  const kinds: [string, boolean, (json: Tokenizer) => void][] = [
    ['2^20 + 1 merges', true, ({ model }) => Object.assign(model, { merges: Array(2 ** 20 + 1).fill('a b') })],
    ['merges of words not there', false, ({ model }) => model.merges.push('no such', ['x', 'y'], 'a', 3)],
    ['a merge of itself', false, ({ model }) => model.merges.push(...Array(1000).fill(['a', '']))],
    [
      'a token of a megabyte',
      true,
      ({ added_tokens: [token] }) => Object.assign(token!, { content: 'x'.repeat(2 ** 20 + 1) }),
    ],
    ['an empty token', false, ({ added_tokens: [token] }) => Object.assign(token!, { content: '' })],
    ['ids of 2^53', false, ({ model }) => Object.assign(model.vocab, { zz: 2 ** 53, yy: -1, xx: 0.5 })],
    ['one id for two', false, ({ model }) => Object.assign(model.vocab, { zz: 1, yy: 1 })],
    [
      'a million words',
      false,
      ({ model }) => {
        for (let i = 0; i < 1e6; i += 1) model.vocab[`w${i}`] = 1000 + i;
      },
    ],
    [
      'a name of a prototype',
      false,
      ({ model }) => Object.defineProperty(model.vocab, '__proto__', { value: 7, enumerable: true }),
    ],
    [
      'nested pre-tokenizers',
      false,
      (json) => {
        json.pre_tokenizer = nested('Sequence', 'pretokenizers', split('a'));
      },
    ],
    [
      'nested normalizers',
      false,
      (json) => {
        json.normalizer = nested('Sequence', 'normalizers', { type: 'NFC' });
      },
    ],
    [
      'a pattern of exponential time',
      false,
      (json) => {
        json.pre_tokenizer = split(
          rng.choice(['(a+)+$', '(a|a)*b', '(.*)*x', '((a?){50}){50}b', 'a{1000000000}', '(?<=(a+)+)b']),
        );
      },
    ],
    [
      'a pattern of nothing',
      false,
      (json) => {
        json.pre_tokenizer = split('');
      },
    ],
    [
      'a pattern that is none',
      false,
      (json) => {
        json.pre_tokenizer = split('([');
      },
    ],
    [
      'a replacement of megabytes',
      false,
      (json) => {
        json.normalizer = { type: 'Replace', pattern: { String: 'a' }, content: 'a'.repeat(1e6) };
      },
    ],
  ];
  const [what, refuse, write] = rng.choice(kinds);
  change(folder, 'tokenizer.json', (json) => write(json as never));
  return { name: `tokenizer.json: ${what}`, refuse };
}

const TEMPLATES = [
  '{% for i in range(1000000000) %}x{% endfor %}',
  '{% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}',
  '{% set ns = namespace(x="aaaa") %}{% for i in range(40) %}{% set ns.x = ns.x + ns.x %}{% endfor %}{{ ns.x }}',
  '{% set ns = namespace(x=[1]) %}{% for i in range(40) %}{% set ns.x = ns.x + ns.x %}{% endfor %}{{ ns.x | length }}',
  '{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}',
  '{{ "a" * 1000000000 }}',
  '{{ ("a" * 100000) | replace("a", "a" * 100000) }}',
  '{{ ["a"] * 1000000000 }}',
  '{{ messages.constructor.constructor("return process")().exit(3) }}',
  '{{ "".constructor.constructor("return process.exit(3)")() }}',
  '{{ messages.__proto__ }}{% set messages.__proto__.polluted = 1 %}',
  '{{ ({}).__proto__ }}{{ messages["__proto__"]["polluted"] }}',
  '{% set x = {} %}{% set x.__proto__ = {"polluted": 1} %}{{ x.polluted }}',
  '{{ namespace(__proto__={"polluted": 1}).polluted }}',
  '{{ cycler.__init__.__globals__.os.popen("id").read() }}',
  '{% include "/etc/passwd" %}{% import "x" as y %}',
  '{{ raise_exception("no") }}',
  '{{ "%s" | format(messages) }}{{ messages | tojson(indent=1000000000) }}',
  `${'('.repeat(50_000)}1`,
  `{{ ${'('.repeat(20_000)}1${')'.repeat(20_000)} }}`,
  `{{ ${'not '.repeat(50_000)}1 }}`,
  `${'{% if 1 %}'.repeat(20_000)}${'{% endif %}'.repeat(20_000)}`,
  `{{ ${'[0]'.repeat(50_000)} }}`,
  '{% for m in messages %}{{ m.content | string | center(1000000000) }}{% endfor %}',
  '{{ strftime_now("%Y" * 100000000) }}',
  '{% if %}',
  '',
];

function spoilTemplate(rng: Generator, folder: string): Spoiled {
  const template = rng.choice(TEMPLATES);
  const put: [string, () => void][] = [
    ['chat_template.jinja', () => writeFileSync(join(folder, 'chat_template.jinja'), template)],
    [
      'chat_template.json',
      () => writeFileSync(join(folder, 'chat_template.json'), JSON.stringify({ chat_template: template })),
    ],
    [
      'tokenizer_config.json',
      () => {
        rmSync(join(folder, 'chat_template.json'), { force: true });
        const value = rng.choice<unknown>([template, [{ name: 'default', template }]]);
        change(folder, 'tokenizer_config.json', (json) => Object.assign(json, { chat_template: value }));
      },
    ],
  ];
  const [where, write] = rng.choice(put);
  write();
  return { name: `${where}: ${shown(template)}`, refuse: false };
}

/** Weights in parts whose list names files elsewhere: a good file lies there, so that reading it would succeed. */
function spoilIndex(rng: Generator, folder: string): Spoiled {
  const own = join(folder, 'model.safetensors');
  const outside = join(dirname(folder), 'outside.safetensors');
  copyFileSync(own, outside);
  const file = readFileSync(own);
  const names = Object.keys(JSON.parse(file.subarray(8, 8 + Number(file.readBigUInt64LE(0))).toString('utf8')) as Json);
  const place = rng.choice<unknown>([
    '../outside.safetensors',
    outside,
    './../outside.safetensors',
    'x/../../outside.safetensors',
    '..\\outside.safetensors',
    `file://${outside}`,
    'http://127.0.0.1:1/x.safetensors',
    'a\u0000.safetensors',
    '',
    '.',
    3,
    null,
    '__proto__',
  ]);
  const map = Object.fromEntries(names.filter((name) => name !== '__metadata__').map((name) => [name, place]));
  const list = rng.choice<[string, unknown]>([
    [`names ${shown(place)}`, { weight_map: map }],
    [`names ${shown(place)}`, { weight_map: map }],
    ['is empty', { weight_map: {} }],
    ['is a list', { weight_map: names }],
    [
      'has 200,000 names',
      { weight_map: Object.fromEntries(Array.from({ length: 200_000 }, (_, i) => [`n${i}`, 'x.safetensors'])) },
    ],
    ['is odd', { weight_map: odd(rng) }],
  ]);
  writeFileSync(join(folder, 'model.safetensors.index.json'), JSON.stringify(list[1]));
  rmSync(own);
  return { name: `an index that ${list[0]}`, refuse: true };
}

function change(folder: string, name: string, write: (json: Json) => void): void {
  const path = join(folder, name);
  const json = JSON.parse(existsSync(path) ? readFileSync(path, 'utf8') : '{}') as Json;
  write(json);
  writeFileSync(path, textOf(json));
}

/** Deep values do not pass through `JSON.stringify` at once. */
function textOf(json: unknown): string {
  try {
    return JSON.stringify(json);
  } catch {
    return '['.repeat(100_000);
  }
}

const shown = (value: unknown): string => String(JSON.stringify(value)).slice(0, 80);
