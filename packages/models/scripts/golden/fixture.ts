/** The files of one family in a folder of golden data. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatMessage, Image } from '@vlgym/core';
import { decodePng } from '@vlgym/core/images';
import { safetensors } from '@vlgym/gpu';
import type { QwenModel } from '../../src/models/shared/model.js';
import type { TextModel } from '../../src/models/shared/text-model.js';
import type { TiledModel } from '../../src/models/tiled/model.js';

interface ArrayNote {
  readonly float32_vs_float64?: { readonly max_abs: number };
}

export interface Checks {
  readonly sum: number;
  readonly sum_of_squares: number;
  readonly weighted_sum: number;
}

export interface LoraCase {
  readonly folder: string;
  readonly grad_keys: readonly string[];
  readonly grad_norms_float64: readonly number[];
  readonly losses_float64: readonly number[];
}

export interface FamilyCase {
  readonly folder: string;
  readonly model: string;
  readonly files: Readonly<
    Record<string, { readonly file: string; readonly arrays?: Readonly<Record<string, ArrayNote>> }>
  >;
  readonly images: Readonly<
    Record<
      string,
      {
        readonly png: string;
        readonly resized_height: number;
        readonly resized_width: number;
        readonly image_grid_thw: readonly number[];
        readonly image_tokens: number;
        /** The number of tiles, in families that read them. */
        readonly tiles?: number;
        readonly pixel_values_checks: Checks;
      }
    >
  >;
  readonly forward: Readonly<
    Record<
      string,
      { readonly prompts: readonly string[]; readonly logits_checks?: Checks; readonly logits_float64_checks?: Checks }
    >
  >;
  readonly generate: {
    readonly greedy: { readonly prompts: readonly string[] };
    readonly greedy_eos: { readonly eos_token_id: readonly number[]; readonly pad_token_id: number };
    readonly greedy_penalty: { readonly repetition_penalty: number };
    readonly response: {
      readonly prompts: readonly string[];
      readonly logprobs_float64?: Readonly<Record<string, { readonly sum_per_row: readonly number[] }>>;
    };
  };
  readonly lora: Readonly<Record<string, LoraCase>>;
}

interface SmartResizeTable {
  readonly label: string;
  readonly factor: number;
  readonly min_pixels: number;
  readonly max_pixels: number;
  readonly height_width_to_height_width: readonly (readonly (number | null)[])[];
}

export interface Cases {
  readonly smart_resize: { readonly tables: readonly SmartResizeTable[] };
  readonly families: Readonly<Record<string, FamilyCase>>;
}

interface PromptCase {
  readonly messages: readonly { readonly role: ChatMessage['role']; readonly content: string | readonly Part[] }[];
  readonly images: readonly string[];
  readonly rendered: string;
  readonly rendered_without_generation_prompt?: string;
  readonly rendered_with_vision_ids?: string;
  readonly input_ids: readonly number[];
  readonly response_text: string;
  readonly response_ids: readonly number[];
}

type Part = { readonly type: 'image' } | { readonly type: 'text'; readonly text: string };

export interface TextCases {
  readonly special_token_ids?: Readonly<Record<string, number>>;
  readonly tokenizer: readonly {
    readonly text: string;
    readonly ids: readonly number[];
    readonly decoded: string;
    readonly decoded_skipping_special: string;
  }[];
  readonly prompts: Readonly<Record<string, PromptCase>>;
  readonly left_padded_batch: {
    readonly prompts: readonly string[];
    readonly input_ids: readonly (readonly number[])[];
    readonly attention_mask: readonly (readonly number[])[];
    readonly mm_token_type_ids?: readonly (readonly number[])[];
    readonly image_grid_thw?: readonly (readonly number[])[];
  };
}

export interface NumberArray {
  readonly shape: readonly number[];
  readonly data: number[];
}

/** A model of the families that are compared. */
export type GoldenModel = QwenModel | TextModel | TiledModel;

export function readCases(folder: string): Cases {
  return JSON.parse(readFileSync(join(folder, 'cases.json'), 'utf8')) as Cases;
}

/** The arrays of one file, and how far from them rounding may lead. */
export class Arrays {
  readonly #file: safetensors.SafetensorsFile;
  readonly #notes: Readonly<Record<string, ArrayNote>>;

  constructor(path: string, notes: Readonly<Record<string, ArrayNote>>) {
    this.#file = new safetensors.SafetensorsFile(path);
    this.#notes = notes;
  }

  has(name: string): boolean {
    return this.#file.has(name);
  }

  names(prefix = ''): string[] {
    return this.#file.keys().filter((name) => name.startsWith(prefix));
  }

  get(name: string): NumberArray {
    using tensor = this.#file.get(name);
    return { shape: tensor.shape, data: tensor.toNumbers() };
  }

  /** `max(least, 8 * distance of float32 from float64)` */
  tolerance(name: string, least = 2e-5): number {
    return Math.max(least, 8 * (this.#notes[name]?.float32_vs_float64?.max_abs ?? 0));
  }
}

export class Fixture {
  readonly model: string;
  readonly text: TextCases;
  readonly #folder: string;
  readonly #family: string;
  readonly #images = new Map<string, Image>();

  constructor(
    folder: string,
    readonly cases: FamilyCase,
  ) {
    this.#folder = folder;
    this.#family = join(folder, cases.folder);
    this.model = join(this.#family, cases.model);
    this.text = JSON.parse(readFileSync(join(this.#family, 'text.json'), 'utf8')) as TextCases;
  }

  path(name: string): string {
    return join(this.#family, name);
  }

  arrays(name: string): Arrays {
    const note = this.cases.files[name];
    return new Arrays(this.path(note?.file ?? `${name}.safetensors`), note?.arrays ?? {});
  }

  image(name: string): Image {
    const known = this.#images.get(name);
    if (known) return known;
    const path = this.cases.images[name]?.png ?? `images/${name}.png`;
    const image = decodePng(readFileSync(join(this.#folder, path)));
    this.#images.set(name, image);
    return image;
  }

  /** The messages of a prompt with its pictures, every one an object of its own: equal ones are not shared. */
  messages(prompt: string): ChatMessage[] {
    const { messages, images } = this.text.prompts[prompt]!;
    let next = 0;
    return messages.map(({ role, content }) => ({
      role,
      content:
        typeof content === 'string'
          ? content
          : content.map((part) =>
              part.type === 'text' ? part : { type: 'image' as const, image: { ...this.image(images[next++]!) } },
            ),
    }));
  }
}
