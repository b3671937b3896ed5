/** A few questions of our own in the layout of each benchmark, with pictures: to try a model, a rule or a reader. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidOptionError } from '@vlgym/core';
import { encodePng } from '@vlgym/core/images';
import { writeFileAtomic } from '@vlgym/core/internal';
import type { Row } from './benchmark.js';

const COLORS: readonly (readonly [name: string, rgb: readonly number[]])[] = [
  ['red', [220, 40, 40]],
  ['green', [40, 170, 60]],
  ['blue', [40, 70, 220]],
  ['yellow', [235, 210, 40]],
];
const NAMES = COLORS.map(([name]) => name);
const LETTERS = [...'ABCD'];
const QUESTION = 'What color is the square?';
const COUNT = 12;
const SIDE = 16;

interface Item {
  readonly index: number;
  readonly letter: string;
  readonly color: string;
  readonly picture: string;
}

const LETTERED_OPTIONS = NAMES.map((name, i) => `${LETTERS[i]}. ${name}`);
const WITH_OPTIONS = `${QUESTION} Choices: ${LETTERED_OPTIONS.join(' ')}. Answer with the letter only.`;
const COLUMNS = Object.fromEntries(NAMES.map((name, i) => [LETTERS[i], name]));
const MIRB = { questions: `${QUESTION} ` };
const half = (index: number) => (index % 2 === 0 ? 'first' : 'second');

/** A question by benchmark; `undefined` pictures are frames. */
const LAYOUTS: Readonly<Record<string, (item: Item) => Row>> = {
  'vsi-bench': ({ index, letter }) => {
    const scene = { id: index, dataset: 'squares', scene_name: `scene-${index % 4}` };
    return index % 3 === 0
      ? { ...scene, question_type: 'object_counting', question: 'How many squares?', options: null, ground_truth: '1' }
      : {
          ...scene,
          question_type: 'route_planning',
          question: QUESTION,
          options: LETTERED_OPTIONS,
          ground_truth: letter,
        };
  },
  erqa: ({ index, letter, picture }) => ({
    ...{ question_id: `E${index}`, question_type: half(index), question: WITH_OPTIONS, answer: letter },
    ...{ images: [picture], visual_indices: [0] },
  }),
  muirbench: ({ index, letter, picture }) => ({
    ...{ idx: index, task: half(index), image_relation: 'single', question: `${QUESTION} <image>`, options: NAMES },
    ...{ answer: letter, image_list: [picture] },
  }),
  'video-mme': ({ index, letter }) => ({
    ...{ question_id: `${index}-1`, videoID: `squares/scene-${index % 4}`, duration: 'short', domain: 'Squares' },
    ...{ sub_category: half(index), task_type: 'Spatial Perception', question: QUESTION, options: LETTERED_OPTIONS },
    ...{ answer: letter },
  }),
  'visual-web-bench': ({ index, letter, color, picture }) =>
    index % 2 === 0
      ? { id: `q${index}`, task_type: 'webqa', question: QUESTION, answer: [color], image: picture }
      : {
          ...{ id: `g${index}`, task_type: 'element_ground', elem_desc: `the ${color} square`, image: picture },
          answer: LETTERS.indexOf(letter),
        },
  mmbench: ({ index, letter, picture }) => ({
    ...{ index, question: QUESTION, hint: 'nan', ...COLUMNS, answer: letter, category: half(index) },
    ...{ 'L2-category': 'color', image: picture },
  }),
  mme: ({ index, color, picture }) => {
    const shown = index % 2 === 0 ? color : NAMES[(NAMES.indexOf(color) + 1) % NAMES.length];
    return {
      ...{ question_id: `${Math.floor(index / 2)}.png`, category: 'color', image: picture },
      ...{ question: `Is the square ${shown}? Please answer yes or no.`, answer: index % 2 === 0 ? 'Yes' : 'No' },
    };
  },
  mmstar: ({ index, letter, picture }) => ({
    ...{ index, question: WITH_OPTIONS, answer: letter, category: 'color', l2_category: half(index), image: picture },
  }),
  'mme-real-world': ({ index, letter, picture }) => ({
    ...{ index, question: QUESTION, 'multi-choice options': NAMES.map((name, i) => `(${LETTERS[i]}) ${name}`) },
    ...{ answer: letter, category: 'color', 'l2-category': half(index), bytes: picture },
  }),
  'mmt-bench': ({ index, letter, picture }) => ({
    ...{ index, question: QUESTION, ...COLUMNS, answer: letter, 'l2-category': half(index), image: picture },
  }),
  mirb: ({ index, letter, color, picture }) =>
    index % 2 === 0
      ? { ...MIRB, question_id: index, subset: 'attribute', answers: color, image_list: [picture] }
      : {
          ...{ question_id: index, subset: 'food', questions: `${QUESTION}\n${LETTERED_OPTIONS.join('\n')}\n` },
          ...{ answers: letter, image_list: [picture] },
        },
  gqa: ({ index, color, picture }) => ({
    ...{ id: `${index}`, imageId: picture, question: QUESTION, answer: color, image: picture },
  }),
  own: ({ index, letter, picture }) => ({
    ...{ id: `q${index}`, question: QUESTION, options: NAMES, answer: letter, images: [picture], group: half(index) },
  }),
};

/** Benchmarks with a miniature. */
export const MINIATURES: readonly string[] = Object.keys(LAYOUTS);

/**
 * Writes 12 questions as JSON Lines, their pictures beside them, and frames of four videos in `frames`.
 *
 * @param id  One of `MINIATURES`. @returns the file and the folder of frames.
 * @throws {InvalidOptionError}
 */
export async function writeMiniature(id: string, folder: string): Promise<{ questions: string; frames: string }> {
  const layout = Object.hasOwn(LAYOUTS, id) ? LAYOUTS[id] : undefined;
  if (!layout) throw new InvalidOptionError('id', id, MINIATURES.join(', '));
  const frames = join(folder, 'frames');
  for (const [i, [, rgb]] of COLORS.entries()) {
    const scene = join(frames, 'squares', `scene-${i}`);
    const files = [...[0, 1, 2].map((frame) => join(scene, `${frame}.png`)), join(folder, `${NAMES[i]}.png`)];
    await mkdir(scene, { recursive: true });
    await Promise.all(files.map((file) => writeFile(file, square(rgb))));
  }
  const rows = Array.from({ length: COUNT }, (_, index) => {
    const i = index % NAMES.length;
    return layout({ index, letter: LETTERS[i]!, color: NAMES[i]!, picture: `${NAMES[i]}.png` });
  });
  const questions = join(folder, 'questions.jsonl');
  await writeFileAtomic(questions, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return { questions, frames };
}

function square(rgb: readonly number[]): Uint8Array {
  const data = new Uint8Array(SIDE * SIDE * 3).fill(255);
  for (let y = 4; y < SIDE - 4; y += 1) for (let x = 4; x < SIDE - 4; x += 1) data.set(rgb, (y * SIDE + x) * 3);
  return encodePng({ data, width: SIDE, height: SIDE, channels: 3 });
}
