/**
 * VisualWebBench's seven tasks.
 *
 * `lmms-eval-2026` scores answers as they are; `official` first takes them out of the form that the prompt asks for, as the
 * model adapters of the official harness do.
 */
import { type Benchmark, type Judged, QuestionError, type Row, type Summary, type Verdict } from '../benchmark.js';
import { LETTERS_A_TO_H } from '../extract/mcq-answer.js';
import { visualWebBenchChoice } from '../extract/multi-choice.js';
import { keyOf, textOf, wholeNumberOf } from '../fields.js';
import { grouped, invalidRate, mean, meanScore } from '../metrics/means.js';
import { type RougeScores, rouge } from '../metrics/rouge.js';
import { pythonRepr, pythonText } from '../text/python-repr.js';
import { length, strip } from '../text/python-text.js';
import { picturesFirst } from './choices.js';
import { VISUAL_WEB_BENCH_PROMPTS as PROMPTS } from './visual-web-bench-prompts.js';

type Task = keyof typeof PROMPTS;

/** Tasks whose answer is a letter. */
const LETTERED: readonly Task[] = ['element_ground', 'action_prediction', 'action_ground'];

export const visualWebBench = benchmark('lmms-eval-2026', (_, answer) => answer);
export const visualWebBenchOfficial = benchmark('official-2024', asAsked);

function benchmark(rules: string, prepared: (task: Task, answer: string) => string): Benchmark {
  return {
    id: 'visual-web-bench',
    rules,
    maxNewTokens: 16,
    pictures: 'images',
    key: (row) => `${taskOf(row)}/${keyOf(row, 'id')}`,
    prompt: (row, pictures) => picturesFirst(pictures, promptText(row)),
    score(row, answer) {
      const task = taskOf(row);
      return SCORES[task](row, prepared(task, answer));
    },
    summarize,
    choices: (row) => (LETTERED.includes(taskOf(row)) ? LETTERS_A_TO_H : []),
  };
}

/** @throws {QuestionError} */
function taskOf(row: Row): Task {
  const task = textOf(row, 'task_type');
  if (Object.hasOwn(PROMPTS, task)) return task as Task;
  throw new QuestionError('task_type', task, Object.keys(PROMPTS).join(', '));
}

function promptText(row: Row): string {
  const task = taskOf(row);
  const fill: Readonly<Record<string, () => string>> = {
    '{question}': () => pythonText(row.question),
    '{bbox_ratio}': () => pythonRepr(row.bbox),
    '{elem_desc}': () => pythonText(row.elem_desc),
    '{element_desc}': () => pythonText(row.elem_desc),
    '{choices_text}': () => pythonText(row.options),
    '{instruction}': () => pythonText(row.instruction),
  };
  return PROMPTS[task].replace(/\{[a-z_]+\}/g, (mark) => fill[mark]!());
}

/** Out of the form that the prompt asks for. */
function asAsked(task: Task, answer: string): string {
  if (task === 'web_caption') return captionIn(answer);
  if (task === 'element_ocr' || task === 'webqa') {
    const behind = strip(answer.slice(answer.indexOf(':') + 1));
    return strip(strip(behind, '"'), "'");
  }
  return task === 'action_prediction' ? answer.slice(0, 1).toUpperCase() : answer;
}

const CAPTION_START = '<meta name="description" content="';

/** Up to the last `">` of the line. */
function captionIn(answer: string): string {
  const start = answer.indexOf(CAPTION_START);
  if (start === -1) return answer;
  const [line] = answer.slice(start + CAPTION_START.length).split('\n', 1);
  const end = line!.lastIndexOf('">');
  return end === -1 ? answer : line!.slice(0, end);
}

const caption = (row: Row, answer: string): Verdict =>
  rougeVerdict(rouge(answer === '' ? ' ' : answer, textOf(row, 'answer')), answer);

const SCORES: Readonly<Record<Task, (row: Row, answer: string) => Verdict>> = {
  web_caption: caption,
  heading_ocr: caption,
  // one character counts as an empty answer, as published
  element_ocr: (row, answer) => caption(row, length(answer) === 1 ? '' : answer),
  webqa,
  element_ground: choice,
  action_prediction: choice,
  action_ground: choice,
};

function rougeVerdict(scores: RougeScores | undefined, answer: string): Verdict {
  if (scores === undefined) return { score: 0, invalid: true };
  const [rouge_1, rouge_2, rouge_l] = [scores.rouge1.f, scores.rouge2.f, scores.rougeL.f];
  return { score: rouge_l, parts: { rouge_1, rouge_2, rouge_l }, extracted: answer, invalid: strip(answer) === '' };
}

/** The best of the accepted answers. The original skips an answer of periods only, so that it is in no mean. */
function webqa(row: Row, answer: string): Verdict {
  const accepted = Array.isArray(row.answer) ? row.answer : [row.answer];
  const scores = accepted.map((gold) => rouge(answer === '' ? ' ' : answer, String(gold)));
  if (scores.length === 0 || scores.includes(undefined)) return { score: 0, invalid: true, dropped: true };
  const score = Math.max(...scores.map((each) => each!.rouge1.f));
  return { score, extracted: answer, invalid: strip(answer) === '' };
}

function choice(row: Row, answer: string): Verdict {
  const letter = visualWebBenchChoice(answer, LETTERS_A_TO_H);
  const isLetter = /^[A-Z]$/.test(letter);
  const isRight = isLetter && letter.charCodeAt(0) - 65 === wholeNumberOf(row, 'answer');
  return { score: Number(isRight), ...(isLetter && { extracted: letter }), invalid: !isLetter };
}

/** Figures of a task as its harness prints them; the mean over tasks is ours, the harness has none. */
function summarize(judged: readonly Judged[]): Summary {
  const tasks = grouped(judged, taskOf);
  const parts = [...tasks].flatMap(([task, group]) => {
    const counted = group.filter(({ verdict }) => verdict.dropped !== true);
    return figures(task as Task, counted).map(
      ([name, value]) => [`${task}: ${name}`, { value, n: counted.length }] as const,
    );
  });
  const headline = [...tasks.values()]
    .map((group) => group.filter(({ verdict }) => verdict.dropped !== true))
    .filter((group) => group.length > 0)
    .map((group) => 100 * meanScore(group));
  return {
    metric: 'mean of tasks (ROUGE-L, F1, accuracy)',
    unit: 'percent',
    value: headline.length === 0 ? undefined : mean(headline),
    n: judged.length,
    invalidRate: invalidRate(judged),
    parts: Object.fromEntries(parts),
    missing: Object.keys(PROMPTS).filter((task) => !tasks.has(task)),
  };
}

const ROUGE_NAMES = ['rouge_1', 'rouge_2', 'rouge_l'];

function figures(task: Task, counted: readonly Judged[]): (readonly [name: string, value: number | undefined])[] {
  const figure = (values: readonly number[]) => (values.length === 0 ? undefined : 100 * mean(values));
  if (SCORES[task] === choice || SCORES[task] === webqa) {
    return [[SCORES[task] === choice ? 'accuracy' : 'f1', figure(counted.map(({ verdict }) => verdict.score))]];
  }
  return ROUGE_NAMES.map((name) => [name, figure(counted.map(({ verdict }) => verdict.parts?.[name] ?? 0))]);
}
