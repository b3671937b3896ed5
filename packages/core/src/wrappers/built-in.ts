/** The wrappers that a spec can name without registration; each takes the options of its `wrapperSpec`. */
import type { WrapperFactory } from '../registry/wrapper-registry.js';
import { earlyEnd } from './early-end.js';
import { frameStack } from './frame-stack.js';
import { history } from './history.js';
import { illegalAction } from './illegal-action.js';
import { grayscaleObservation, resizeObservation } from './image-observation.js';
import { orderEnforcing } from './order-enforcing.js';
import { passiveChecker } from './passive-checker.js';
import { recordEpisodeStatistics } from './record-episode-statistics.js';
import { recordVideo } from './record-video.js';
import { timeLimit } from './time-limit.js';
import { transformAction } from './transform-action.js';
import { transformObservation } from './transform-observation.js';
import { clipReward, transformReward } from './transform-reward.js';

export const builtInWrappers: ReadonlyMap<string, WrapperFactory> = new Map<string, WrapperFactory>([
  ['clipReward', clipReward],
  ['earlyEnd', earlyEnd],
  ['frameStack', ({ size }) => frameStack(size)],
  ['grayscaleObservation', grayscaleObservation],
  ['history', ({ length, ...options }) => history(length, options)],
  ['illegalAction', illegalAction],
  ['orderEnforcing', orderEnforcing],
  ['passiveChecker', passiveChecker],
  ['recordEpisodeStatistics', recordEpisodeStatistics],
  ['recordVideo', recordVideo],
  ['resizeObservation', resizeObservation],
  ['timeLimit', ({ steps }) => timeLimit(steps)],
  ['transformAction', ({ transform, space, ...options }) => transformAction(transform, space, options)],
  ['transformObservation', ({ transform, space }) => transformObservation(transform, space)],
  ['transformReward', ({ transform }) => transformReward(transform)],
]);
