/** The contract of a question set: how a row is asked, how an answer is scored, how scores become the published figure. */
import { GymError, show } from '@vlgym/core';

/** One question as the user's file has it. */
export type Row = Readonly<Record<string, unknown>>;

/** A picture in the file: encoded bytes, a data URL, base64, or a path next to the file. */
export type PictureSource = string | Uint8Array | { readonly bytes?: unknown; readonly path?: unknown };

/** A piece of a prompt: a text, or the index of one of the question's pictures. */
export type PromptPart = string | number;

export interface Verdict {
  /** 0 to 1. */
  readonly score: number;
  /** The choice, number or text that the rule read; absent if it read nothing. */
  readonly extracted?: string;
  /** The answer has no readable choice, number or word: its form is wrong, whatever it means. */
  readonly invalid: boolean;
  /** Scores that the published figure needs besides `score`, each 0 to 1. */
  readonly parts?: Readonly<Record<string, number>>;
  /** The published computation leaves this answer out of its mean. */
  readonly dropped?: boolean;
}

export interface Judged {
  readonly row: Row;
  readonly verdict: Verdict;
}

export interface Part {
  /** `undefined` if a question type that the mean needs is missing. */
  readonly value: number | undefined;
  /** Questions. */
  readonly n: number;
}

export interface Summary {
  /** Name of the published figure, as its harness calls it. */
  readonly metric: string;
  /** In `unit`; `undefined` if a part that it needs has no question. */
  readonly value: number | undefined;
  /** `share`: 0 to 1; `percent`: 0 to 100; `points`: MME's, 200 a category. */
  readonly unit: 'share' | 'percent' | 'points';
  readonly n: number;
  /** Answers of a wrong form, a share of all. */
  readonly invalidRate: number;
  /** Other figures by name, in the unit of `value`. */
  readonly parts: Readonly<Record<string, Part>>;
  /** Parts without a question. */
  readonly missing: readonly string[];
}

export interface Benchmark {
  /** E.g. `vsi-bench`. */
  readonly id: string;
  /** Prompt, extraction and metric, by harness and year: results of different rules are never compared. */
  readonly rules: string;
  /** Maximum number of tokens of an answer, as in the harness. */
  readonly maxNewTokens: number;
  /** `video` needs frames. */
  readonly pictures: 'none' | 'images' | 'video';
  /** A name for the question, the same in every run. @throws {QuestionError} */
  key(row: Row): string;
  /** @throws {QuestionError} */
  prompt(row: Row, pictures: number): readonly PromptPart[];
  /** Never throws for a row that `prompt` accepts. @param reading  What the judge said, if it was asked. */
  score(row: Row, answer: string, reading?: string): Verdict;
  summarize(judged: readonly Judged[]): Summary;
  /** The answers that the question offers, in the form that the rules read; none for open questions. */
  choices?(row: Row): readonly string[];
  /** Questions that share a video or a page are not independent. */
  cluster?(row: Row): string;
  /** The question to a judge about an answer; `undefined` if the rules read it themselves. */
  judge?(row: Row, answer: string): string | undefined;
}

/** A row lacks a field, or a field has the wrong type. */
export class QuestionError extends GymError {
  constructor(
    readonly field: string,
    value: unknown,
    expected: string,
    hint = 'check that the file belongs to this benchmark, and its column names',
  ) {
    super(`The question's \`${field}\` is ${show(value)}.`, { code: 'QUESTION', value, expected, hint });
  }
}
