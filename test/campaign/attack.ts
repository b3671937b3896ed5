/** The interface of an attack: numbered cases, each a function of the campaign's seed and its own number. */
import type { Generator } from '@vlgym/core';

export interface Attack {
  /** Stable; `--only` takes it. */
  readonly name: string;
  /** One line for the report. */
  readonly about: string;
  /** Share of the campaign's time, relative to the other attacks; default 1. */
  readonly weight?: number;
  /** Cases to run before any time is shared out by weight, so that a short campaign sees every variant; default 1. */
  readonly least?: number;
  /** The reason why it cannot run here, e.g. a build that is missing. */
  unavailable?(): string | undefined;
  /** One case. What it throws is a finding, too. */
  run(context: AttackContext): Promise<CaseResult>;
  /** Runs one input again, as a reproducer names it. */
  repeat?(input: string): Promise<readonly Finding[]>;
}

export interface AttackContext {
  /** Seed of this case alone. */
  readonly seed: number;
  /** Number of the case, from 0. */
  readonly index: number;
  readonly rng: Generator;
  /** Empty at the start, removed at the end. */
  readonly folder: string;
}

export interface CaseResult {
  /** Counts of actions by unit: `{ kills: 2 }`. Summed over cases. */
  readonly counts: Readonly<Record<string, number>>;
  readonly findings: readonly Finding[];
}

export interface Finding {
  /** The symptom; findings with one title are one finding in the report. */
  readonly title: string;
  /** The observed and the expected behavior. */
  readonly detail: string;
  /** The shrunk input for `--input`, where the attack takes one; else the number of the case repeats it. */
  readonly input?: string;
  /** A command to run, where it is not one of the campaign. */
  readonly command?: string;
}

/** A finding of the campaign, with where it came from. */
export interface FoundFinding extends Finding {
  readonly attack: string;
  readonly index: number;
}

/** The command that shows a finding again. */
export function reproducer({ attack, index, input, command }: FoundFinding, seed: number): string {
  if (command !== undefined) return command;
  const what = input === undefined ? `--seed ${seed} --case ${index}` : `--input ${quoted(input)}`;
  return `npm run campaign -- --only ${attack} ${what}`;
}

const quoted = (text: string) => (/^[\w./:=+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
