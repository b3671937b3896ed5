/** Input of the expert: the same facts that an agent reads. */
import type { MiniWoBObservation } from '../env/observation.js';

export interface Situation {
  readonly instruction: string;
  readonly observation: MiniWoBObservation;
  /** Actions of this episode. */
  readonly actions: readonly string[];
}
