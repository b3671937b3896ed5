/** Messages between a worker vector and its threads. */
import type { RenderFrame, ResetOptions } from '../env.js';
import type { SlotHistory } from './env-slot.js';
import type { Packed } from './packed.js';
import type { AutoresetMode, FailureData, SlotSnapshot } from './vector-env.js';

export interface WorkerSetup {
  /** As `specToJson` writes it. */
  readonly spec: string;
  /** Indices of the environments in this thread. */
  readonly indices: readonly number[];
  /** History of the slots of a lost thread that this one replaces. */
  readonly histories: readonly SlotHistory[] | undefined;
  readonly autoreset: AutoresetMode;
  readonly stepTimeoutMs: number | undefined;
  readonly memory: SharedMemory | undefined;
}

/** Bytes per environment and buffer; environment `index` owns `[(2 * index + buffer) * slotBytes, + slotBytes)`. */
export interface SharedMemory {
  readonly buffer: SharedArrayBuffer;
  readonly slotBytes: number;
}

/** Lists have one entry per environment of the thread; `undefined` skips that one. */
export type Request =
  | { readonly type: 'reset'; readonly buffer: 0 | 1; readonly plan: readonly (ResetOptions | undefined)[] }
  | {
      readonly type: 'step';
      readonly buffer: 0 | 1;
      readonly actions: readonly ({ readonly action: unknown } | undefined)[];
    }
  | { readonly type: 'render' | 'snapshot' | 'close' }
  | { readonly type: 'restore'; readonly slots: readonly SlotSnapshot[] };

export interface Answers {
  /** Packed `ResetResult`s or `StepResult`s. */
  readonly results?: readonly (Packed | undefined)[];
  readonly frames?: readonly RenderFrame[];
  readonly slots?: readonly SlotSnapshot[];
}

export type Reply =
  | (Answers & {
      readonly ok: true;
      readonly masks: readonly (Uint8Array | undefined)[];
      readonly histories: readonly SlotHistory[];
    })
  | { readonly ok: false; readonly error: FailureData & { readonly index?: number; readonly attempts?: number } };
