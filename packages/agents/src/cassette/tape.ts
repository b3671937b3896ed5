/**
 * One cassette: a file of JSON Lines with the answers to calls, by content.
 *
 * Calls of equal content are told apart by who makes them: the seed, its repeat, and how often the episode has asked the same
 * before. So a sampling model keeps its variety, and the answers do not depend on which episode was faster. Where these
 * are unknown, outside of evaluations, calls count in the order in which they are made.
 */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { checkedOneOf, environmentSecrets, redactSecrets } from '@vlgym/core';
import { checkNames, JsonLineAppender, names, readJsonLines } from '@vlgym/core/internal';
import type { JsonValue } from '@vlgym/core/trajectory';
import { z } from 'zod';
import { currentScope, type EpisodeScope } from '../scope.js';
import { packed } from './content.js';
import { CassetteInvalidError, CassetteMissError } from './errors.js';

const CASSETTE_SCHEMA = 'vlgym.cassette/1';

/**
 * `new`: recorded calls are answered from the file, others are made and recorded. `none`: only recorded calls are answered.
 * `all`: every call is made, and the file begins empty.
 */
const RECORD_MODES = ['new', 'none', 'all'] as const;
export type RecordMode = (typeof RECORD_MODES)[number];

export interface CassetteOptions {
  /** Default: `none` where the variable `CI` is set, or else `new`. */
  readonly record?: RecordMode | undefined;
  /** Keys that may occur in answers; those of the environment and of known shapes are found without. Never stored. */
  readonly secrets?: readonly string[] | undefined;
}

const CASSETTE_OPTIONS = names<CassetteOptions>({ record: 0, secrets: 0 });

const entrySchema = z.object({
  key: z.string().regex(/^[0-9a-f]{64}$/),
  /** The asker: `seed.repeat:count` in an evaluation, `:count` outside. */
  ask: z.string().max(100),
  /** The model, the tool or the server. */
  of: z.string().max(1024),
  about: z.string().max(1024),
  answer: z.json(),
});
type Entry = z.infer<typeof entrySchema>;

export interface StaleEntry {
  readonly of: string;
  /** The seed of the episode that asked; absent outside of evaluations. */
  readonly seed?: number;
  readonly about: string;
}

/** An entry in a few words. Prompts with pictures often have the same text: the seed tells them apart. */
const staleText = ({ of, seed, about }: StaleEntry): string =>
  `${of}, ${seed === undefined ? '' : `seed ${seed}, `}${about}`;

export interface CassetteReport {
  readonly file: string;
  /** Calls answered from the file, and calls made and recorded. */
  readonly played: number;
  readonly recorded: number;
  /** Entries that nobody has asked for in this process, except those of episodes that were not played: tests stop early. */
  readonly stale: readonly StaleEntry[];
}

/** A call to answer. */
export interface Call {
  readonly key: string;
  readonly of: string;
  readonly about: string;
  /** Makes it. @returns The answer as JSON data, which may have bytes in it. */
  readonly make: () => Promise<unknown>;
}

export class Tape {
  readonly #entries = new Map<string, Map<string, Entry>>();
  readonly #used = new Set<Entry>();
  /** Episodes that have asked, as `seed.repeat`; empty for code outside of evaluations. */
  readonly #askers = new Set<string>(['']);
  readonly #asked = new WeakMap<object, Map<string, number>>();
  readonly #outside = {};
  readonly #secrets = new Set<string>();
  /** Read once an episode, because that takes longer than the rest of an answer. */
  #environment: readonly string[] | undefined;
  readonly #loaded: Promise<void>;
  #appender: Promise<JsonLineAppender> | undefined;
  #played = 0;
  #recorded = 0;

  constructor(
    readonly file: string,
    readonly record: RecordMode,
  ) {
    this.#loaded = this.#load();
    this.#loaded.catch(() => {}); // the first call reports it
  }

  addSecrets(secrets: readonly string[]): void {
    for (const secret of secrets) this.#secrets.add(secret);
  }

  /**
   * @throws {CassetteMissError}  It was not recorded, and may not be made.
   * @throws {CassetteInvalidError}
   */
  async answer({ key, of, about, make }: Call): Promise<JsonValue> {
    const scope = currentScope();
    const ask = this.#askOf(key, scope); // before any await: the order of the caller
    await this.#loaded;
    const known = this.#entries.get(key);
    const exact = known?.get(ask);
    // the same content asked by somebody else is an answer too, where no other can be had
    const found = exact ?? (this.record === 'none' ? firstOf(known) : undefined);
    if (found) {
      this.#used.add(found);
      this.#played += 1;
      return found.answer;
    }
    if (this.record === 'none') {
      const stale = this.report().stale.map(staleText);
      throw new CassetteMissError(this.file, of, this.#clean(about), stale);
    }
    const made = await make().catch((error: unknown) => {
      this.#takeBack(key, scope, ask);
      throw error;
    });
    const answer = JSON.parse(this.#clean(packed(made))) as JsonValue;
    const entry: Entry = { key, ask, of, about: this.#clean(about), answer };
    this.#keep(entry);
    this.#used.add(entry);
    this.#recorded += 1;
    await this.#append(entry);
    return answer;
  }

  report(): CassetteReport {
    const all = [...this.#entries.values()].flatMap((entries) => [...entries.values()]);
    return {
      file: this.file,
      played: this.#played,
      recorded: this.#recorded,
      stale: all
        .filter((entry) => !this.#used.has(entry) && this.#askers.has(entry.ask.slice(0, entry.ask.lastIndexOf(':'))))
        .map(({ of, ask, about }) => ({
          of,
          ...(ask.startsWith(':') ? {} : { seed: Number.parseInt(ask, 10) }),
          about,
        })),
    };
  }

  /** Counts how often this content was asked for by the episode, or by the code outside of evaluations. */
  #askOf(key: string, scope: EpisodeScope | undefined): string {
    const owner = scope ?? this.#outside;
    const known = this.#asked.get(owner);
    if (!known) this.#environment = undefined;
    const counts = known ?? new Map<string, number>();
    this.#asked.set(owner, counts);
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    const asker = scope ? `${scope.seed}.${scope.repeat}` : '';
    this.#askers.add(asker);
    return `${asker}:${count}`;
  }

  /** A call that failed has no answer: its retry takes its place, then as when it is played. */
  #takeBack(key: string, scope: EpisodeScope | undefined, ask: string): void {
    const counts = this.#asked.get(scope ?? this.#outside);
    const count = Number(ask.slice(ask.lastIndexOf(':') + 1));
    if (counts?.get(key) === count + 1) counts.set(key, count);
  }

  #clean(text: string): string {
    this.#environment ??= environmentSecrets();
    return redactSecrets(text, [...this.#secrets, ...this.#environment]);
  }

  #keep(entry: Entry): void {
    const entries = this.#entries.get(entry.key) ?? new Map<string, Entry>();
    this.#entries.set(entry.key, entries.set(entry.ask, entry));
  }

  async #load(): Promise<void> {
    if (this.record === 'all') return rm(this.file, { force: true });
    if (!existsSync(this.file)) return;
    let isFirst = true;
    for await (const line of readJsonLines(this.file, { maxLineBytes: 64 << 20 })) {
      if ('problem' in line) {
        if (line.problem === 'torn') break; // a killed process: the rest is whole
        throw new CassetteInvalidError(this.file, line.line, `the line is ${line.problem}`);
      }
      if (isFirst) {
        const { schema } = (line.value ?? {}) as { readonly schema?: unknown };
        if (schema !== CASSETTE_SCHEMA) throw new CassetteInvalidError(this.file, line.line, `not ${CASSETTE_SCHEMA}`);
        isFirst = false;
        continue;
      }
      const entry = entrySchema.safeParse(line.value);
      if (!entry.success) {
        const { path = [], message } = entry.error.issues[0] ?? {};
        throw new CassetteInvalidError(this.file, line.line, `${path.map(String).join('.')} ${message}`);
      }
      this.#keep(entry.data);
    }
  }

  async #append(entry: Entry): Promise<void> {
    this.#appender ??= this.#openAppender();
    const appender = await this.#appender;
    await appender.append(entry);
  }

  async #openAppender(): Promise<JsonLineAppender> {
    const isNew = !existsSync(this.file);
    const appender = await JsonLineAppender.open(this.file);
    if (isNew) await appender.append({ schema: CASSETTE_SCHEMA });
    return appender;
  }
}

/** The first by who asked, so that it does not depend on the order of the file. */
const firstOf = (entries: ReadonlyMap<string, Entry> | undefined): Entry | undefined =>
  entries && [...entries.values()].sort((a, b) => (a.ask < b.ask ? -1 : 1))[0];

/** Open cassettes of this process, by file and mode: models and tools share one. */
const tapes = new Map<string, Tape>();

/** @throws {InvalidOptionError | UnknownOptionError} */
export function openTape(file: string, options: CassetteOptions = {}): Tape {
  checkNames('options', options, CASSETTE_OPTIONS);
  const { record = process.env.CI ? 'none' : 'new', secrets = [] } = options;
  checkedOneOf('record', record, RECORD_MODES);
  const path = resolve(file);
  const key = JSON.stringify([path, record]);
  const tape = tapes.get(key) ?? new Tape(path, record);
  tapes.set(key, tape);
  tape.addSecrets(secrets);
  return tape;
}

/**
 * Reports of the cassettes of this process: calls played and recorded, and the entries that nobody has asked for.
 *
 * @param file  One cassette; default: all that are open.
 */
export function cassetteReports(file?: string): CassetteReport[] {
  const wanted = file === undefined ? undefined : resolve(file);
  return [...tapes.values()]
    .filter((tape) => wanted === undefined || tape.file === wanted)
    .map((tape) => tape.report());
}
