/** Messages between this process and its threads with environments. */
import type { Space } from '../spaces/space.js';
import type { SlotHistory } from './env-slot.js';
import { type Packed, packedSize } from './packed.js';
import type { AutoresetMode, FailureData } from './vector-env.js';

/** Environments for a thread to make, all from one spec. */
export interface Making {
  /** As `specToJson` writes it. */
  readonly spec: string;
  /** Numbers by which calls name them. */
  readonly envs: readonly number[];
  /** Wraps them in slots of a vector, which survive failures. */
  readonly slots?: SlotSetup | undefined;
}

export interface SlotSetup {
  readonly autoreset: AutoresetMode;
  readonly stepTimeoutMs: number | undefined;
  /** One per environment: history of the slots of a lost thread that this one replaces. */
  readonly histories: readonly SlotHistory[] | undefined;
  readonly memory: SharedMemory | undefined;
}

/** Bytes per environment and buffer; environment `index` owns `[(2 * index + buffer) * slotBytes, + slotBytes)`. */
export interface SharedMemory {
  readonly buffer: SharedArrayBuffer;
  readonly slotBytes: number;
}

/** One call of a method of one environment, or of its slot. */
export interface Call {
  readonly env: number;
  readonly method: 'reset' | 'step' | 'render' | 'snapshot' | 'restore' | 'close';
  /** Reset options, an action, or a snapshot. */
  readonly argument?: unknown;
  /** Half of the shared memory for the arrays of the result. */
  readonly buffer?: 0 | 1;
}

/** Calls of one request run at once and are answered together; requests do not wait for each other. */
export type Request = { readonly id: number } & ({ readonly make: Making } | { readonly calls: readonly Call[] });

export interface Answer {
  readonly result: Packed;
  /** Actions allowed after the call, if the environment has a mask and an episode. */
  readonly mask: Uint8Array | undefined;
  /** State of a slot. */
  readonly history: SlotHistory | undefined;
}

export type Reply = { readonly id: number } & (
  | { readonly ok: true; readonly answers: readonly Answer[] }
  | { readonly ok: false; readonly error: ErrorData }
);

export interface ErrorData extends FailureData {
  /** It was a `GymError`. */
  readonly isOurs: boolean;
  /** Fields of a `VectorEnvFailedError`; the other fields describe its cause. */
  readonly index?: number;
  readonly attempts?: number;
}

/** Bytes for all arrays of an observation, two buffers per environment; doubled if a result has two observations. */
export function sharedMemory(space: Space, numEnvs: number, twice: boolean): SharedMemory | undefined {
  const slotBytes = packedSize(space.sample()) * (twice ? 2 : 1);
  return slotBytes === 0 ? undefined : { buffer: new SharedArrayBuffer(2 * numEnvs * slotBytes), slotBytes };
}
