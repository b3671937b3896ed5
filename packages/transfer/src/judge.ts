/**
 * A judge for rules that ask a model about answers in which they find no option. Its readings are answers, too: asked by `ask`
 * and stored as written, in a file beside those that were judged.
 *
 * A judge is asked once, at temperature 0, in words of ours; a reading without an option makes an answer wrong. Published
 * figures come from other words and another model, so figures compare under one judge, and not with published ones.
 */
import { checkNames, names } from '@vlgym/core/internal';
import { type AnswersFile, readAnswers, readAnswersIfAny } from './answers.js';
import { type AskOptions, ask } from './ask.js';
import type { Benchmark, Row } from './benchmark.js';
import { BENCHMARKS, benchmark as named } from './benchmarks/index.js';
import { AnswersDifferError, JudgeMissingError, NoJudgeError } from './errors.js';
import type { PlacedRow } from './read/questions.js';

/** A reply is a letter; a model may say more. */
const REPLY_TOKENS = 64;

export interface JudgeOptions extends Pick<AskOptions, 'model' | 'concurrency' | 'onProgress' | 'signal'> {
  /** The file of answers. Readings go to a file beside it, which has its name and `.judge`. */
  readonly answers: string;
  /** Rules with a judge; default: the first of the benchmark. */
  readonly rules?: string | undefined;
}

const JUDGE_OPTIONS = names<JudgeOptions>({
  ...{ answers: 0, rules: 0, model: 0, concurrency: 0, onProgress: 0, signal: 0 },
});

/**
 * Asks a model what each answer means in which the rules find no option. Call again with the same options to go on.
 *
 * @returns Numbers of answers judged now and before, and the rules that score them.
 * @throws {NoJudgeError} @throws {QuestionFileError} @throws {AnswersDifferError} The readings are by another model.
 */
export async function judgeAnswers(options: JudgeOptions): Promise<{ judged: number; before: number; rules: string }> {
  checkNames('options', options, JUDGE_OPTIONS);
  const { answers, rules, ...rest } = options;
  const { head, lines } = await readAnswers(answers);
  const judge = judgeOf(head.benchmark, rules);
  const questions = lines.flatMap(({ key, row, answer }): PlacedRow[] => {
    const words = judge.judge!(row, answer);
    return words === undefined ? [] : [{ row: { key, words }, file: answers, place: `${answers}, question ${key}` }];
  });
  const readings = { benchmark: readingsFor(judge), questions, out: fileOfReadings(answers) };
  const { answered, before } = await ask({ ...rest, ...readings });
  return { judged: answered, before, rules: judge.rules };
}

/** The replies of a judge about answers, and its name. @throws {JudgeMissingError} @throws {AnswersDifferError} */
export async function readingsOf(
  answers: string,
  rules: Benchmark,
): Promise<{ judge: string; of(key: string, row: Row, answer: string): string | undefined }> {
  const file = fileOfReadings(answers);
  const found: AnswersFile | undefined = await readAnswersIfAny(file);
  if (!found) throw new JudgeMissingError(answers);
  const replies = new Map(found.lines.map(({ key, row, answer }) => [key, { words: row.words, answer }]));
  return {
    judge: found.head.model,
    of(key, row, answer) {
      const words = rules.judge!(row, answer);
      if (words === undefined) return undefined;
      const reply = replies.get(key);
      if (!reply) throw new JudgeMissingError(answers, key);
      if (reply.words !== words)
        throw new AnswersDifferError(`${file}, question ${key},`, 'prompt', reply.words, words);
      return reply.answer;
    },
  };
}

const fileOfReadings = (answers: string): string => `${answers}.judge`;

function judgeOf(id: string, rules: string | undefined): Benchmark {
  const found = rules === undefined ? BENCHMARKS.find((each) => each.id === id && each.judge) : named(`${id}/${rules}`);
  if (found?.judge) return found;
  throw new NoJudgeError(rules === undefined ? id : `${id}/${rules}`);
}

/** The question set of a judge: each question is about an answer. */
const readingsFor = ({ id, rules }: Benchmark): Benchmark => ({
  ...{ id: `${id}-judge`, rules, maxNewTokens: REPLY_TOKENS, pictures: 'none' },
  key: (row) => String(row.key),
  prompt: (row) => [String(row.words)],
  score: () => ({ score: 0, invalid: false, dropped: true }),
  summarize: ({ length }) => ({
    ...{ metric: 'readings', value: undefined, unit: 'share', n: length },
    ...{ invalidRate: 0, parts: {}, missing: [] },
  }),
});
