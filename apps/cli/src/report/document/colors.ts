/**
 * One color per algorithm, the same in every chart, table and report: those of vlgym have fixed ones, others take what is
 * left in the order in which the report meets them.
 */
import type { TaskReport } from '../data.js';

/** The CSS class of an algorithm. */
export type Colors = (algorithm: string) => string;

const FIXED = [
  'gtr-turbo-kl',
  'vl-dac',
  'rl4vlm',
  'gtr-turbo-sft',
  'rl4vlm-stabilized',
  'grpo',
  'dapo',
  'loop',
  'rloo',
  'gigpo',
];

export function colorsOf(tasks: readonly Pick<TaskReport, 'runs'>[]): Colors {
  const met = [
    ...new Set(tasks.flatMap(({ runs }) => runs.filter((run) => !run.isControl).map((run) => run.algorithm))),
  ];
  const places = new Map(FIXED.map((name, index) => [name, index]));
  const free = FIXED.map((_, index) => index).filter((index) => !met.includes(FIXED[index]!));
  const others = met.filter((name) => !places.has(name));
  // with more algorithms than colors, colors repeat; labels and titles distinguish them
  for (const [index, name] of others.entries()) places.set(name, free[index] ?? index % FIXED.length);
  return (algorithm) => {
    const place = places.get(algorithm);
    return place === undefined ? 'soft' : `c${place}`;
  };
}
