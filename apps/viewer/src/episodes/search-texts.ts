/**
 * Episodes in whose texts some words occur: prompts, answers, thoughts, tools, observations, errors. The file is read from
 * its start to its end, and only lines that may have the words are parsed. `search-texts.test.ts` pins it.
 */
import { join } from 'node:path';
import { EPISODES_FILE } from '@vlgym/core/internal';
import { blocksFrom, linesOf, parsed, sizeOf } from '../folders/byte-lines.js';
import { list, number, record, text } from '../folders/values.js';

/** Where the words first occur in an episode. */
export interface FoundText {
  /** Absent: in what was seen first. */
  readonly step?: number;
  /** The words with some before and after. */
  readonly excerpt: string;
}

/** Characters on each side of the words. */
const AROUND = 40;
/** Levels of JSON. */
const MAX_DEPTH = 64;

export class TextSearch {
  readonly #file: string;
  #last: { readonly key: string; readonly found: Promise<ReadonlyMap<string, FoundText>> } | undefined;

  /** @param folder  With `episodes.jsonl` in it. */
  constructor(folder: string) {
    this.#file = join(folder, EPISODES_FILE);
  }

  /** By id of the episode, without regard to case. The last search is kept until the file grows. */
  async find(words: string): Promise<ReadonlyMap<string, FoundText>> {
    const wanted = words.toLowerCase();
    const key = JSON.stringify([wanted, await sizeOf(this.#file)]);
    if (this.#last?.key !== key) this.#last = { key, found: this.#search(wanted) };
    return this.#last.found;
  }

  async #search(wanted: string): Promise<ReadonlyMap<string, FoundText>> {
    const found = new Map<string, FoundText>();
    const written = JSON.stringify(wanted).slice(1, -1);
    for await (const block of blocksFrom(this.#file, 0)) {
      if (!block.bytes.toString('utf8').toLowerCase().includes(written)) continue;
      for (const { bytes } of linesOf(block)) {
        if (bytes.toString('utf8').toLowerCase().includes(written)) take(record(parsed(bytes)), wanted, found);
      }
    }
    return found;
  }
}

/** A line is the start, a step or the end of an episode, or the whole of it. */
function take(line: Readonly<Record<string, unknown>>, wanted: string, found: Map<string, FoundText>): void {
  const start = line.event === 'start' ? record(line.trajectory) : line;
  const id = text(start.id);
  if (id === undefined || found.has(id)) return;
  const { observation, info } = start;
  const steps = Array.isArray(line.steps) ? list(line.steps) : line.event === 'step' ? [line.step] : [];
  const first = excerptOf([observation, info], wanted);
  if (first !== undefined) found.set(id, { excerpt: first });
  for (const step of steps) {
    if (found.has(id)) return;
    const excerpt = excerptOf(step, wanted);
    const index = number(record(step).index);
    if (excerpt !== undefined) found.set(id, { excerpt, ...(index !== undefined && { step: index }) });
  }
}

/** In a text, and not in the name of a field. */
function excerptOf(value: unknown, wanted: string, depth = 0): string | undefined {
  if (typeof value === 'string') {
    const at = value.toLowerCase().indexOf(wanted);
    if (at < 0) return undefined;
    const [from, to] = [Math.max(0, at - AROUND), at + wanted.length + AROUND];
    return `${from > 0 ? '…' : ''}${value.slice(from, to).replaceAll('\n', ' ')}${to < value.length ? '…' : ''}`;
  }
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return undefined;
  for (const each of Object.values(value)) {
    const excerpt = excerptOf(each, wanted, depth + 1);
    if (excerpt !== undefined) return excerpt;
  }
  return undefined;
}
