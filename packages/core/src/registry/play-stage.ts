/** How the page of `vlgym play` shows an environment that is a page itself, such as a shop. */
import type { Awaitable, Info } from '../env.js';

export interface PlayStage {
  /** The environment's own page now; links and buttons in it are actions. */
  html?(info: Info): Awaitable<string>;
  /** What the last reward is made of: name and value. Left out, `info.rewardParts` is shown. */
  parts?(info: Info): readonly (readonly [name: string, value: string])[];
  close?(): Awaitable<void>;
}
