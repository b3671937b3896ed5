/** Messages from a training process to its parent. */
import type { EvaluationPoint } from '../report/data.js';

export type RunMessage =
  | {
      readonly type: 'update';
      readonly update: number;
      readonly updates: number;
      readonly steps: number;
      /** The most bytes of tensors that the process has held at once. */
      readonly peakBytes?: number;
      readonly evaluation?: EvaluationPoint;
    }
  | { readonly type: 'alarm'; readonly text: string }
  /** A line for the terminal, e.g. how to start workers. */
  | { readonly type: 'note'; readonly text: string };

export type Listener = (message: RunMessage) => void;
