/** Messages between a rollout and the threads of its environments. */

export type ThreadCall = 'make' | 'reset' | 'step' | 'restore' | 'close';

export interface ThreadRequest {
  readonly id: number;
  /** Number of the environment. */
  readonly env: number;
  readonly call: ThreadCall;
  /** The spec as JSON, reset options, an action, or a snapshot. */
  readonly argument: unknown;
}

export type ThreadReply =
  /** `snapshot`: the state after the call, where the environment has snapshots. */
  | { readonly id: number; readonly ok: true; readonly result: unknown; readonly snapshot?: unknown }
  | { readonly id: number; readonly ok: false; readonly message: string; readonly code?: string };
