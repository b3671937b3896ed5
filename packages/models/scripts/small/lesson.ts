/**
 * Training data for imitation by a small model: prompts of an environment, and the answers of a teacher with full knowledge.
 */
import type { AnyEnv, ChatMessage, Generator } from '@vlgym/core';

/** A prompt with the answer to learn. */
export interface Example {
  readonly messages: readonly ChatMessage[];
  readonly response: string;
  /** Parts of the response that are labels, as ranges of UTF-16 offsets; default: the complete response. */
  readonly labels?: readonly (readonly [start: number, end: number])[];
  /** Places of messages of the assistant in a conversation that are labels as well. */
  readonly answers?: readonly number[];
}

/** One kind of examples. */
export interface Kind {
  readonly name: string;
  /** Share of the run, or of what is mixed. */
  readonly share: number;
  /** @returns undefined if this draw makes none. */
  example(rng: Generator, env: AnyEnv): Example | undefined | Promise<Example | undefined>;
}

/** One thing alone, at the beginning of a run. */
export interface Drill extends Kind {
  /** Examples of one optimizer step. */
  readonly batch: number;
}

export interface WarmStartPlan {
  /** Environment id with the options that training and evaluation share. */
  readonly env: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** Options of the side to train on, and of the side to be judged on. */
  readonly splits: {
    readonly train: Readonly<Record<string, unknown>>;
    readonly test: Readonly<Record<string, unknown>>;
  };
  /** Exercises before the main part, one after the other; skipped with `--start`. */
  readonly drills?: readonly Drill[];
  /** The mix of examples in the main part, from a training environment; the shares sum to 1. */
  readonly mix: readonly Kind[];
  /** Longest answer. */
  readonly maxNewTokens: number;
  /** Examples of one optimizer step. */
  readonly batch: number;
  /** Examples of a whole run: the length of the run that docs/small.md reports. */
  readonly totalExamples: number;
  /** The goal in docs/small.md. */
  readonly goal: string;
  /** `score`: the mean reward counts; `success`: the share of solved tasks. */
  readonly measure: 'score' | 'success';
}
