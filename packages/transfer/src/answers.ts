/** Files of raw answers: a first line that says what was asked, then one line per question. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { show } from '@vlgym/core';
import { isRecord, readJsonLines } from '@vlgym/core/internal';
import type { PromptPart, Row } from './benchmark.js';
import { QuestionFileError } from './errors.js';

export const ANSWERS_SCHEMA = 'vlgym-answers/1';

export interface AnswersHead {
  readonly schema: typeof ANSWERS_SCHEMA;
  readonly benchmark: string;
  /** Rules whose words were asked; others of the same words can score the answers, too. */
  readonly rules: string;
  readonly model: string;
  readonly maxNewTokens: number;
  /** SHA-256 of what answers depend on besides the model's name: weights, sampling. */
  readonly identity?: string;
}

export interface AnswerLine {
  readonly key: string;
  /** SHA-256 of the prompt's words and the places of its pictures. */
  readonly prompt: string;
  readonly pictures: number;
  /** As the model wrote it. */
  readonly answer: string;
  /** The question without its pictures, so that answers can be scored without the file. */
  readonly row: Row;
}

export interface AnswersFile {
  readonly head: AnswersHead;
  readonly lines: readonly AnswerLine[];
}

export const promptHash = (parts: readonly PromptPart[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/**
 * A torn last line is left out.
 *
 * @throws {QuestionFileError} It is missing, damaged, answers a question twice, or is not a file of answers.
 */
export async function readAnswers(file: string): Promise<AnswersFile> {
  const found = await readAnswersIfAny(file);
  if (!found) throw new QuestionFileError(file, 'it has no answers');
  return found;
}

/**
 * @returns `undefined` for a missing file, and for one whose first line was never completed.
 * @throws {QuestionFileError} It is damaged, answers a question twice, or is not a file of answers.
 */
export async function readAnswersIfAny(file: string): Promise<AnswersFile | undefined> {
  if (!existsSync(file)) return undefined;
  let head: AnswersHead | undefined;
  const lines = new Map<string, AnswerLine>();
  for await (const line of readJsonLines(file)) {
    const place = `${file}, line ${line.line}`;
    if (!('value' in line)) {
      if (line.problem === 'torn') continue;
      throw new QuestionFileError(place, `the line is ${line.problem}`);
    }
    if (!isRecord(line.value)) throw new QuestionFileError(place, 'the line is not an object');
    if (!head) {
      head = headOf(line.value, place);
      continue;
    }
    const answer = answerOf(line.value, place);
    // it would count twice; a run that goes on asks only what has no answer
    if (lines.has(answer.key))
      throw new QuestionFileError(place, `the question ${show(answer.key)} has an answer already`);
    lines.set(answer.key, answer);
  }
  return head && { head, lines: [...lines.values()] };
}

function headOf(value: Record<string, unknown>, place: string): AnswersHead {
  const texts = [value.benchmark, value.rules, value.model];
  if (value.schema !== ANSWERS_SCHEMA || !texts.every((text) => typeof text === 'string')) {
    throw new QuestionFileError(place, `it is not the first line of ${ANSWERS_SCHEMA}`);
  }
  return value as unknown as AnswersHead;
}

function answerOf(value: Record<string, unknown>, place: string): AnswerLine {
  const texts = [value.key, value.prompt, value.answer];
  if (!texts.every((text) => typeof text === 'string') || !isRecord(value.row) || !Number.isInteger(value.pictures)) {
    throw new QuestionFileError(place, 'it is not an answer');
  }
  return value as unknown as AnswerLine;
}
