import type { EvaluateOptions, Evaluation } from '@vlgym/agents';
import type { AsWellOptions } from './matchers/at-least-as-well.js';
import type { SolveOptions } from './matchers/solve.js';
import type { EpisodeLimits, StayOptions } from './matchers/stay-within.js';

/** The matchers that `import '@vlgym/vitest'` adds to `expect(agent)`. */
export interface AgentMatchers {
  /**
   * Asserts that the success rate of the agent is at least `rate`. Play stops as soon as the answer is clear; an agent with
   * this rate fails at most one test in twenty.
   *
   * @example await expect(agent).toSolve('vlgym/NumberLine-v1', { rate: 0.8, episodes: 40 });
   */
  toSolve(env: EvaluateOptions['env'], options: SolveOptions): Promise<void>;
  /**
   * The agent solves the recorded tasks as often as they were solved in the recording. An agent that is as good as then
   * fails at most one test in twenty. Where the recording is not there yet, it is made, except in CI.
   *
   * @param recording  A folder of recorded episodes, or an evaluation.
   * @example await expect(agent).toSolveAtLeastAsWellAs('baseline', { env: 'vlgym/NumberLine-v1' });
   */
  toSolveAtLeastAsWellAs(recording: string | Evaluation, options?: AsWellOptions): Promise<void>;
  /**
   * Every episode stays within limits. Judges the latest episodes of the agent in this test; with `env` it plays.
   *
   * @example await expect(agent).toStayWithin({ tokens: 20_000, steps: 10, seconds: 30 });
   */
  toStayWithin(limits: EpisodeLimits, options?: StayOptions): Promise<void>;
}
