/** Every vector of `test/golden/transfer`: answers read and scored, and prompts filled, as the published code does. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Benchmark, Row } from './benchmark.js';
import { benchmark } from './benchmarks/index.js';
import { mmstarMatches2026 } from './benchmarks/mmstar.js';
import { VISUAL_WEB_BENCH_PROMPTS } from './benchmarks/visual-web-bench-prompts.js';
import { mmbenchChoice, type OptionTexts, vlmEvalKitChoice } from './extract/can-infer.js';
import { mmeRealWorldLetter, videoMmeLetter } from './extract/first-letter.js';
import { firstNumber } from './extract/first-number.js';
import { LETTERS_A_TO_D, LETTERS_A_TO_H, mcqAnswer } from './extract/mcq-answer.js';
import { mmtChoice, visualWebBenchChoice } from './extract/multi-choice.js';
import { openCandidates } from './extract/open-answer.js';
import { firstWord, letteredStart, mmstarMatches, yesOrNo } from './extract/short-rules.js';
import { balrogSummary } from './metrics/balrog.js';
import { meanRelativeAccuracy } from './metrics/mean-relative-accuracy.js';
import { rouge } from './metrics/rouge.js';
import { floatRepr, pythonFloat } from './text/python-float.js';
import { pythonRepr } from './text/python-repr.js';

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../test/golden/transfer/${name}`, import.meta.url), 'utf8'));

interface Vector {
  readonly args: readonly [answer: string, gold: string];
  readonly out: unknown;
}

const scoring = read('scoring.json');
const options = scoring.choices_of_can_infer as OptionTexts;
const repr = (value: number | undefined) => (value === undefined ? 'None' : floatRepr(value));

const RULES: Readonly<Record<string, (answer: string, gold: string) => unknown>> = {
  'lmms_2026.extract_mcq_answer[A-D]': (answer) => mcqAnswer(answer, LETTERS_A_TO_D),
  'lmms_2026.extract_mcq_answer[default A-H]': (answer) => mcqAnswer(answer),
  'lmms_2025.videomme.extract_characters_regex': videoMmeLetter,
  'lmms.mme_realworld.extract_characters_regex': mmeRealWorldLetter,
  'lmms_2025.mmstar.exact_match(pred,gt)': (answer, gold) => Number(mmstarMatches(answer, gold)),
  'lmms_2026.mmstar.exact_match(pred,gt)': (answer, gold) => Number(mmstarMatches2026(answer, gold)),
  'lmms.mme.parse_pred_ans': yesOrNo,
  'lmms.muirbench.filter': letteredStart,
  'lmms.visualwebbench.parse_multi_choice_response': (answer) => visualWebBenchChoice(answer, LETTERS_A_TO_H),
  'lmms.mmt.parse_multi_choice_response[A-D] (?=random)': (answer) => mmtChoice(answer, LETTERS_A_TO_D) ?? '?',
  'lmms.mmbench.can_infer(choices)': (answer) => mmbenchChoice(answer, options) ?? false,
  'vlmevalkit.can_infer(choices)': (answer) => vlmEvalKitChoice(answer, options) ?? false,
  'lmms_2026.vsibench.extract_number': (answer) => firstNumber(answer) ?? null,
  'lmms_2025.vsibench.to_float(fuzzy_matching)': (answer) => repr(pythonFloat(firstWord(answer))),
  'lmms.vsibench.fuzzy_matching': firstWord,
  'vsibench.mean_relative_accuracy(pred,target,.5,.95,.05)': (answer, target) =>
    meanRelativeAccuracy(Number(answer), Number(target)),
};

describe('extraction', () => {
  it.each(Object.entries<readonly Vector[]>(scoring.extract))('%s', (rule, vectors) => {
    const ours = vectors.map(({ args }) => ({ args, out: RULES[rule]!(args[0], args[1]) }));
    expect(ours).toEqual(vectors);
  });
});

it('ROUGE is that of rouge 1.0.1', () => {
  for (const { hyp, ref, out } of scoring.rouge_1_0_1) {
    const ours = rouge(hyp, ref);
    expect(ours && { 'rouge-1': ours.rouge1, 'rouge-2': ours.rouge2, 'rouge-l': ours.rougeL }, hyp).toEqual(out);
  }
});

/** Verdicts of records with their `response`, and the summary. */
function scored(rules: Benchmark, records: readonly Row[], answerField = 'response') {
  const judged = records.map((row) => ({ row, verdict: rules.score(row, String(row[answerField])) }));
  return { judged, summary: rules.summarize(judged) };
}

describe('whole runs', () => {
  it.each(['2025', '2026'])('VSI-Bench, %s', (year) => {
    const { per_record, aggregate } = scoring.vsibench[`lmms_${year}`];
    const { judged, summary } = scored(benchmark(`vsi-bench/lmms-eval-${year}`), scoring.vsibench.records);
    expect(judged.map(({ verdict }) => verdict.score)).toEqual(per_record);
    for (const [name, value] of Object.entries<number>(aggregate)) {
      expect(name === 'overall' ? summary.value : summary.parts[name]?.value, name).toBeCloseTo(value, 12);
    }
  });

  it.each([
    ['erqa', 'erqa/lmms-eval-2026', 'lmms_2026'],
    ['muirbench', 'muirbench', 'lmms'],
    ['videomme', 'video-mme/lmms-eval-2025', 'lmms_2025'],
    ['videomme', 'video-mme/lmms-eval-2026', 'lmms_2026'],
    ['mmstar', 'mmstar/lmms-eval-2025', 'lmms_2025'],
    ['mmstar', 'mmstar/lmms-eval-2026', 'lmms_2026'],
    ['mme', 'mme', 'perception'],
    ['mme_realworld', 'mme-real-world', 'lmms'],
  ])('%s under %s', (key, rules, figure) => {
    expect(scored(benchmark(rules), scoring[key].records).summary.value).toBeCloseTo(scoring[key][figure], 12);
  });

  it('MMBench, static', () => {
    const { records, overall, category } = scoring.mmbench_static;
    const { summary } = scored(benchmark('mmbench'), records, 'prediction');
    expect(summary.value).toBeCloseTo(overall, 12);
    for (const [name, value] of Object.entries<number>(category)) {
      expect(summary.parts[`category: ${name}`]?.value, name).toBeCloseTo(value, 12);
    }
  });

  it.each(Object.keys(scoring.visualwebbench))('VisualWebBench, %s', (task) => {
    const { records, score } = scoring.visualwebbench[task];
    const rows = records.map((record: Row, id: number) => ({ ...record, task_type: task, id }));
    const { summary } = scored(benchmark('visual-web-bench'), rows);
    for (const [name, value] of Object.entries<number>(score)) {
      expect(summary.parts[`${task}: ${name}`]?.value, name).toBeCloseTo(value, 12);
    }
  });

  it('MIRB', () => {
    for (const { answer, response, parsed, correct } of scoring.mirb) {
      const row = { subset: 'count', answers: answer };
      expect(benchmark('mirb').score(row, response).score, response).toBe(Number(correct));
      if (typeof parsed === 'string') expect(letteredStart(response)).toBe(parsed);
      else {
        const ours = openCandidates(response).map(pythonRepr).sort();
        expect(ours).toEqual([...parsed].sort());
      }
    }
  });

  it('BALROG', () => {
    const { logs, summary } = read('balrog-summary.json');
    const episodes = logs.map(({ env, progression }: { env: string; progression: number }) => ({
      environment: env,
      progression,
    }));
    const ours = balrogSummary(episodes);
    expect(ours.progress).toBeCloseTo(summary.average_progress, 12);
    expect(ours.standardError).toBeCloseTo(summary.standard_error, 12);
    for (const [name, figure] of Object.entries<Record<string, number>>(summary.environments)) {
      expect(ours.environments[name]?.progress).toBeCloseTo(figure.progression_percentage!, 12);
      expect(ours.environments[name]?.standardError).toBeCloseTo(figure.standard_error!, 12);
      expect(ours.environments[name]?.episodes).toBe(figure.episodes_played);
    }
  });
});

describe('prompts', () => {
  const promptOf = (name: string, row: Row) => benchmark(name).prompt(row, 0).join('');

  it('VSI-Bench and MuirBench', () => {
    for (const { doc, prompt } of scoring.vsibench.prompts) expect(promptOf('vsi-bench', doc)).toBe(prompt);
    const { doc, prompt } = scoring.muirbench.prompt_example;
    expect(promptOf('muirbench', doc)).toBe(prompt);
  });

  const prompts = read('prompts.json');
  it.each([
    ['videomme', 'video-mme'],
    ['mme_realworld', 'mme-real-world'],
    ['mmt', 'mmt-bench'],
    ['mmstar', 'mmstar'],
    ['mme', 'mme'],
    ['mirb', 'mirb'],
    ['mmbench/hint=nan', 'mmbench'],
    ['mmbench/hint=Look at the table.', 'mmbench'],
    ['gqa', 'gqa'],
  ])('%s', (key, name) => {
    for (const { doc, prompt } of [prompts.lmmsEvalExamples[key]].flat()) expect(promptOf(name, doc)).toBe(prompt);
  });

  it('VisualWebBench, with lists as Python prints them', () => {
    expect(VISUAL_WEB_BENCH_PROMPTS).toEqual(prompts.visualwebbench);
    const row = { task_type: 'action_prediction', bbox: [0.1, 1, 1e-5], options: ['a', "it's b"] };
    expect(promptOf('visual-web-bench', row)).toContain('[0.1, 1.0, 1e-05]');
    expect(promptOf('visual-web-bench', row)).toContain(`\n['a', "it's b"]\n`);
  });
});
