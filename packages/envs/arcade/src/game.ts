/** The description of a game: its page, what its actions press, and where its score stands. */
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { InvalidOptionError, option, parseOptions } from '@vlgym/core';
import { z } from 'zod';
import type { PageConfig, PageInput } from './page/controller.js';
import type { GameSource } from './page/game-page.js';

export interface ArcadeInput {
  /** `KeyboardEvent.key` values, e.g. `ArrowLeft`, ` `, `a`: held for the whole step. */
  readonly keys?: readonly string[] | undefined;
  /** A click at CSS pixels from the top left of the canvas. */
  readonly click?: readonly [x: number, y: number] | undefined;
  /** Moves the pointer there without a click. */
  readonly move?: readonly [x: number, y: number] | undefined;
}

export interface ArcadeGame {
  /** Letters, digits and dashes, e.g. `catch`: part of task keys and of the prompt's version. */
  readonly name: string;
  /** The whole page; scripts and styles inline, or among `files`. */
  readonly html: string;
  /** Path → contents of files that the page loads, e.g. those of `readGame`. */
  readonly files?: Readonly<Record<string, string | Uint8Array>> | undefined;
  /** Pixels of the canvas as it is shown to agents, 16 to 1024. */
  readonly width: number;
  readonly height: number;
  /** CSS selector of the canvas; default `canvas`. */
  readonly canvas?: string | undefined;
  /** Action by name, in the order of the action space. An action without inputs waits. */
  readonly actions: Readonly<Record<string, ArcadeInput>>;
  /** A CSS selector such as `#score`, whose first number counts, or an expression of the page, e.g. `() => game.score`. */
  readonly score: string;
  /** The episode is over: a selector of an element that is there and visible then, or an expression. */
  readonly over: string;
  /** Expression: the game that is over was won. Default: its score is positive. */
  readonly won?: string | undefined;
  /** Expression: the name of the best action now, for `oracle`. */
  readonly expert?: string | undefined;
  /** Expression: the state in words, for agents without pictures. */
  readonly state?: string | undefined;
  /** Goal, rules and score in plain sentences. */
  readonly guide: { readonly goal: string; readonly rules: string; readonly score: string };
  /** Frames of an action, 60 a second; default 6. */
  readonly framesPerStep?: number | undefined;
  /** Actions of an episode; default 600. */
  readonly maxSteps?: number | undefined;
}

const MAX_FILES = 2000;
const MAX_BYTES = 64 * 2 ** 20;

const place = z.tuple([z.number().min(0).max(4096), z.number().min(0).max(4096)]).readonly();
const input = z.strictObject({
  keys: z.array(z.string().min(1).max(20)).max(8).readonly().optional(),
  click: place.optional(),
  move: place.optional(),
} satisfies Record<keyof ArcadeInput, z.ZodType>);
const expression = z.string().min(1).max(10_000);
const sentences = z.strictObject({ goal: z.string().min(1), rules: z.string().min(1), score: z.string().min(1) });
/** Stands in prompts between quotation marks. */
const isLabel = (text: string) => text !== '' && text === text.trim() && text.length <= 40 && !/["\\\n]/.test(text);
const schema = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/),
  html: z.string().min(1).max(MAX_BYTES),
  files: z.record(z.string(), z.union([z.string(), z.instanceof(Uint8Array)])).optional(),
  width: option.integer(16, 1024),
  height: option.integer(16, 1024),
  canvas: z.string().min(1).optional(),
  actions: z.record(z.string().refine(isLabel), input),
  score: expression,
  over: expression,
  won: expression.optional(),
  expert: expression.optional(),
  state: expression.optional(),
  guide: sentences,
  framesPerStep: option.integer(1, 600).optional(),
  maxSteps: option.integer(1, 1_000_000).optional(),
} satisfies Record<keyof ArcadeGame, z.ZodType>);

/** A game ready to be played. */
export interface CheckedGame {
  readonly name: string;
  readonly guide: ArcadeGame['guide'];
  readonly labels: readonly string[];
  readonly inputs: readonly PageInput[];
  readonly config: PageConfig;
  readonly source: GameSource;
  readonly framesPerStep: number;
  readonly maxSteps: number;
}

/** @throws {InvalidOptionError | UnknownOptionError} */
export function checkedGame(given: ArcadeGame): CheckedGame {
  const game = parseOptions(given, schema);
  const labels = Object.keys(game.actions);
  if (labels.length < 2 || labels.length > 1000) throw new InvalidOptionError('actions', labels, '2 to 1000 actions');
  const { name, guide, framesPerStep = 6, maxSteps = 600, width, height, canvas = 'canvas' } = game;
  const { score, over, won = '', expert = '', state = '' } = game;
  const config = {
    score: numberSource(score),
    over: endSource(over),
    ...{ won: called(won), expert: called(expert), state: called(state) },
    ...{ canvas, width, height },
  };
  const source = { html: game.html, files: new Map(Object.entries(game.files ?? {})) };
  return {
    name,
    guide,
    labels,
    inputs: labels.map((label) => inputOf(game.actions[label]!)),
    config,
    source,
    framesPerStep,
    maxSteps,
  };
}

const inputOf = ({ keys = [], click, move }: z.output<typeof input>): PageInput => ({
  ...{ keys, pointer: click ?? move ?? null, press: click !== undefined },
});

const isSelector = (text: string) => /^[#.[]/.test(text);

const numberSource = (text: string): string =>
  isSelector(text)
    ? `Number(/-?[0-9]+(?:[.][0-9]+)?/.exec(document.querySelector(${JSON.stringify(text)})?.textContent ?? '')?.[0])`
    : called(text);

const endSource = (text: string): string =>
  isSelector(text)
    ? `(document.querySelector(${JSON.stringify(text)})?.getClientRects().length ?? 0) > 0`
    : called(text);

/** A function is called, any other expression is a value. */
const called = (text: string): string =>
  text === '' ? '' : `((value) => (typeof value === 'function' ? value() : value))(${text}\n)`;

/**
 * The page and the files of a folder with an `index.html`, for `html` and `files`.
 *
 * @throws {InvalidOptionError} More than 2,000 files or 64 MiB. @throws The folder, or its index.html, cannot be read.
 */
export async function readGame(folder: string): Promise<Required<Pick<ArcadeGame, 'html' | 'files'>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  if (paths.length > MAX_FILES) throw new InvalidOptionError('folder', folder, `at most ${MAX_FILES} files`);
  const files: Record<string, Uint8Array> = {};
  let bytes = 0;
  for (const path of paths) {
    const content = await readFile(path);
    bytes += content.length;
    if (bytes > MAX_BYTES) throw new InvalidOptionError('folder', folder, `at most ${MAX_BYTES} bytes`);
    files[relative(folder, path).split(sep).join('/')] = content;
  }
  const { 'index.html': page, ...others } = files;
  if (page === undefined) throw new InvalidOptionError('folder', folder, 'a folder with an index.html');
  return { html: Buffer.from(page).toString('utf8'), files: others };
}
