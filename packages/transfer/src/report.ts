/** Scores stored answers by any rules whose prompts have the same wording. */
import { promptHash, readAnswers } from './answers.js';
import type { Benchmark, Judged, Row, Summary, Verdict } from './benchmark.js';
import { benchmark as named } from './benchmarks/index.js';
import { AnswersDifferError } from './errors.js';
import { readingsOf } from './judge.js';

export interface ScoredAnswer {
  readonly key: string;
  readonly prompt: string;
  readonly row: Row;
  readonly answer: string;
  readonly verdict: Verdict;
  /** Answers of one video or page are not independent. */
  readonly cluster: string;
}

export interface TransferReport {
  readonly benchmark: string;
  readonly rules: string;
  readonly model: string;
  readonly summary: Summary;
  readonly answers: readonly ScoredAnswer[];
  /** The published computation over some of the answers. */
  readonly summarize: Benchmark['summarize'];
}

/**
 * @param file   Answers that `ask` wrote.
 * @param rules  Other rules, e.g. `lmms-eval-2026`, or a `Benchmark` object; default: those that were asked.
 * @throws {AnswersDifferError} The prompts of the rules have another wording. @throws {QuestionFileError}
 * @throws {JudgeMissingError} The rules ask a judge, and `judgeAnswers` was not called.
 */
export async function scoreAnswers(file: string, rules?: string | Benchmark): Promise<TransferReport> {
  const { head, lines } = await readAnswers(file);
  const benchmark = typeof rules === 'object' ? rules : named(`${head.benchmark}/${rules ?? head.rules}`);
  if (benchmark.id !== head.benchmark) throw new AnswersDifferError(file, 'benchmark', head.benchmark, benchmark.id);
  const readings = benchmark.judge && (await readingsOf(file, benchmark));
  const answers = lines.map(({ key, prompt, pictures, row, answer }): ScoredAnswer => {
    if (promptHash(benchmark.prompt(row, pictures)) !== prompt) {
      throw new AnswersDifferError(`${file}, question ${key},`, 'prompt', head.rules, benchmark.rules);
    }
    const verdict = benchmark.score(row, answer, readings?.of(key, row, answer));
    return { key, prompt, row, answer, verdict, cluster: benchmark.cluster?.(row) ?? key };
  });
  const rule = readings ? `${benchmark.rules} (${readings.judge})` : benchmark.rules;
  const summarize = (judged: readonly Judged[]) => benchmark.summarize(judged);
  return { benchmark: head.benchmark, rules: rule, model: head.model, summary: summarize(answers), answers, summarize };
}
