/**
 * Matchers for agents. Importing this module adds them to Vitest's `expect`, and raises the time limit of the tests that
 * follow in the file: an episode with a model takes longer than Vitest's five seconds.
 */
import { cassetteReports } from '@vlgym/agents/cassette';
import { afterAll, expect, vi } from 'vitest';
import { toSolveAtLeastAsWellAs } from './matchers/at-least-as-well.js';
import { reported } from './matchers/common.js';
import { toSolve } from './matchers/solve.js';
import { toStayWithin } from './matchers/stay-within.js';
import type { AgentMatchers } from './types.js';

expect.extend({
  toSolve: reported('toSolve', toSolve),
  toSolveAtLeastAsWellAs: reported('toSolveAtLeastAsWellAs', toSolveAtLeastAsWellAs),
  toStayWithin: reported('toStayWithin', toStayWithin),
});
vi.setConfig({ testTimeout: 600_000 });

// in the end, because only then is it known which entries of a cassette nobody asked for
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads the pattern to know which fixtures are wanted
afterAll(({}, suite) => {
  const stale = cassetteReports().flatMap(({ file, played, recorded, stale: entries }) => {
    if (entries.length === 0 || played + recorded === 0) return [];
    return [
      {
        file,
        entries: entries.map(({ of, seed, about }) => `${of}, ${seed === undefined ? '' : `seed ${seed}, `}${about}`),
      },
    ];
  });
  if (stale.length > 0) suite.meta.vlgymStale = stale;
});

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: the parameter that Vitest's own declaration has
  interface Matchers<T = any> extends AgentMatchers {}
}

export type { AgentCheck, FailedEpisode, FailedStep } from './check.js';
export type { AsWellOptions } from './matchers/at-least-as-well.js';
export type { SolveOptions } from './matchers/solve.js';
export type { EpisodeLimits, StayOptions } from './matchers/stay-within.js';
export type { PlayOptions } from './play/options.js';
export type { AgentMatchers } from './types.js';
