/** Asks a model every question of a file and stores its raw answers; a stopped run goes on where it was. */
import { createHash } from 'node:crypto';
import type { TokenModel } from '@vlgym/agents/model';
import {
  type Awaitable,
  type ChatMessage,
  type ChatPart,
  Generator,
  type Image,
  InvalidOptionError,
} from '@vlgym/core';
import { checkNames, JsonLineAppender, names, toJson } from '@vlgym/core/internal';
import { ANSWERS_SCHEMA, type AnswerLine, type AnswersHead, promptHash, readAnswersIfAny } from './answers.js';
import { type Benchmark, QuestionError, type Row } from './benchmark.js';
import { benchmark as named } from './benchmarks/index.js';
import { AnswersDifferError, QuestionFileError } from './errors.js';
import { framesOf, type VideoFolders } from './read/frames.js';
import { type Decode, PICTURE_FIELDS, picturesOf } from './read/pictures.js';
import { type PlacedRow, readQuestions } from './read/questions.js';

export interface AnswerRequest {
  /** Tokens, as the benchmark limits the answer. */
  readonly maxNewTokens: number;
  readonly signal?: AbortSignal | undefined;
}

export interface AskedQuestion {
  readonly key: string;
  readonly messages: readonly ChatMessage[];
  /** The answers that the question offers; none for open questions. */
  readonly choices: readonly string[];
}

/** Anything that answers a prompt, at temperature 0 where it can: an AI SDK call, a server, a script. */
export interface Answerer {
  /** Written into the file; a resumed run must have the same. */
  readonly name: string;
  /** Everything else that answers depend on, e.g. a digest of weights; a resumed run must have the same. */
  identity?(): Awaitable<Readonly<Record<string, unknown>>>;
  answer(messages: readonly ChatMessage[], request: AnswerRequest): Awaitable<string>;
  /** Several at once, in the same order; `answer` is then not called. */
  answerAll?(questions: readonly AskedQuestion[], request: AnswerRequest): Awaitable<readonly string[]>;
}

export interface AskOptions extends VideoFolders {
  /** A name such as `muirbench` or `video-mme/lmms-eval-2026`, or a `Benchmark` object. */
  readonly benchmark: string | Benchmark;
  /** A `.jsonl`, `.tsv`, `.parquet` or `.tfrecord` file, or a folder of such files; or rows that were read already. */
  readonly questions: string | Iterable<PlacedRow>;
  readonly model: TokenModel | Answerer;
  /** The file of answers; an existing one is continued. */
  readonly out: string;
  /** Questions from the start of the file; default all. */
  readonly limit?: number | undefined;
  /** Questions at once, the batch of a `TokenModel`; default 8. */
  readonly concurrency?: number | undefined;
  /** Frames of a video, evenly spread; default 32. */
  readonly framesPerVideo?: number | undefined;
  /** Reads pictures other than PNG, e.g. with `sharp`. */
  readonly decode?: Decode | undefined;
  /** `throw` (default) stops at a broken question; `skip` leaves it out and tells `onProblem`. */
  readonly onInvalid?: 'throw' | 'skip' | undefined;
  readonly onProblem?: ((problem: Error) => void) | undefined;
  /** Called after each batch with the number of questions answered, those of earlier calls included. */
  readonly onProgress?: ((answered: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const ASK_OPTIONS = names<AskOptions>({
  ...{ benchmark: 0, questions: 0, model: 0, out: 0, limit: 0, concurrency: 0, frames: 0, videos: 0 },
  ...{ framesPerVideo: 0 },
  ...{ decode: 0, onInvalid: 0, onProblem: 0, onProgress: 0, signal: 0 },
});

interface Question extends AskedQuestion {
  readonly line: Omit<AnswerLine, 'answer'>;
}

/**
 * Answers are written in the order of the file. An error of the model ends the run: no answer is better than one that looks
 * like a wrong one. Call again with the same options to go on.
 *
 * @returns Numbers of questions answered now, before, and left out.
 * @throws {AnswersDifferError} `out` belongs to another benchmark, rule or model. @throws {QuestionFileError}
 */
export async function ask(options: AskOptions): Promise<{ answered: number; before: number; skipped: number }> {
  checkNames('options', options, ASK_OPTIONS);
  const rules = typeof options.benchmark === 'string' ? named(options.benchmark) : options.benchmark;
  const { model, out, limit = Number.POSITIVE_INFINITY, concurrency = 8, signal } = options;
  if (!(Number.isInteger(concurrency) && concurrency > 0)) {
    throw new InvalidOptionError('concurrency', concurrency, '1 or more');
  }
  if (!(limit >= 1)) throw new InvalidOptionError('limit', limit, '1 or more');
  const { id: benchmark, rules: rule, maxNewTokens } = rules;
  const head: AnswersHead = {
    ...{ schema: ANSWERS_SCHEMA, benchmark, rules: rule, model: model.name, maxNewTokens },
    ...(await identityOf(model)),
  };
  const done = await startOf(out, head);
  const before = done.size;
  const appender = await JsonLineAppender.open(out);
  let [answered, skipped] = [0, 0];
  try {
    if ((await appender.size()) === 0) await appender.append(head);
    let batch: Question[] = [];
    const flush = async () => {
      signal?.throwIfAborted();
      const answers = await answersOf(model, batch, { maxNewTokens, signal });
      for (const [i, { line }] of batch.entries()) await appender.append({ ...line, answer: answers[i]! });
      answered += batch.length;
      batch = [];
      options.onProgress?.(before + answered);
    };
    const seen = new Set<string>();
    for await (const placed of rowsOf(options.questions)) {
      if (seen.size + skipped >= limit) break;
      try {
        const question = await questionOf(placed, rules, options, seen, done);
        if (question) batch.push(question);
      } catch (error) {
        if (options.onInvalid !== 'skip' || !isBroken(error)) throw error;
        skipped += 1;
        options.onProblem?.(error);
      }
      if (batch.length === concurrency) await flush();
    }
    if (batch.length > 0) await flush();
  } finally {
    await appender.close();
  }
  return { answered, before, skipped };
}

const rowsOf = (questions: AskOptions['questions']) =>
  typeof questions === 'string' ? readQuestions(questions) : questions;

const isBroken = (error: unknown): error is Error =>
  error instanceof QuestionError || error instanceof QuestionFileError;

/** Earlier answers, by key. */
async function startOf(out: string, head: AnswersHead): Promise<Map<string, AnswerLine>> {
  const found = await readAnswersIfAny(out);
  if (!found) return new Map();
  for (const name of ['benchmark', 'rules', 'model', 'maxNewTokens', 'identity'] as const) {
    if (found.head[name] !== head[name]) throw new AnswersDifferError(out, name, found.head[name], head[name]);
  }
  return new Map(found.lines.map((line) => [line.key, line]));
}

/** `undefined` if it was answered before. */
async function questionOf(
  placed: PlacedRow,
  rules: Benchmark,
  { frames, videos, framesPerVideo = 32, decode, out }: AskOptions,
  seen: Set<string>,
  done: ReadonlyMap<string, AnswerLine>,
): Promise<Question | undefined> {
  const key = rules.key(placed.row);
  if (seen.has(key)) throw new QuestionFileError(placed.place, `the question ${key} occurs twice`);
  seen.add(key);
  const before = done.get(key);
  if (before) {
    const prompt = promptHash(rules.prompt(placed.row, before.pictures));
    if (prompt !== before.prompt)
      throw new AnswersDifferError(`${out}, question ${key},`, 'prompt', before.prompt, prompt);
    return undefined;
  }
  const pictures = await load();
  const parts = rules.prompt(placed.row, pictures.length);
  const content = parts.map(
    (part): ChatPart =>
      typeof part === 'number' ? { type: 'image', image: pictures[part]! } : { type: 'text', text: part },
  );
  const line = { key, prompt: promptHash(parts), pictures: pictures.length, row: withoutPictures(placed.row) };
  return { key, messages: [{ role: 'user', content }], choices: rules.choices?.(placed.row) ?? [], line };

  async function load(): Promise<Image[]> {
    if (rules.pictures !== 'video') return picturesOf(placed, decode);
    if (frames === undefined && videos === undefined) {
      throw new InvalidOptionError(
        'frames',
        frames,
        `a folder with the frames of each video of ${rules.id}, or \`videos\``,
      );
    }
    return framesOf({ frames, videos }, rules.cluster!(placed.row), framesPerVideo, placed, decode);
  }
}

const withoutPictures = (row: Row): Row =>
  toJson(Object.fromEntries(Object.entries(row).filter(([name]) => !PICTURE_FIELDS.includes(name))), {
    image: () => null,
  }) as Row;

async function answersOf(
  model: TokenModel | Answerer,
  batch: readonly Question[],
  request: AnswerRequest,
): Promise<string[]> {
  const prompts = batch.map(({ messages }) => messages);
  if (!('answer' in model)) {
    const completions = await model.generate(prompts, { ...request, temperature: 0, rng: new Generator(0) });
    return completions.map(({ text }) => text);
  }
  if (model.answerAll) return [...(await model.answerAll(batch, request))];
  return Promise.all(prompts.map(async (messages) => model.answer(messages, request)));
}

/** A digest, because two policies of equal name may have different weights. */
async function identityOf(model: TokenModel | Answerer): Promise<{ identity?: string }> {
  const identity = 'answer' in model ? await model.identity?.() : { weights: await model.weightsDigest?.() };
  if (identity === undefined || Object.values(identity).every((value) => value === undefined)) return {};
  return { identity: createHash('sha256').update(JSON.stringify(identity)).digest('hex') };
}
