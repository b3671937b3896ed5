/** The wrappers that a spec can name without registration; each takes the options of its `wrapperSpec`. */
import type { WrapperFactory } from '../registry/types.js';
import { actionRepeat } from './action-repeat.js';
import { earlyEnd } from './early-end.js';
import { illegalAction } from './illegal-action.js';
import { normalizeObservation, normalizeReward } from './normalize.js';
import { flattenObservation } from './observation/flatten-observation.js';
import { frameStack } from './observation/frame-stack.js';
import { history } from './observation/history.js';
import { grayscaleObservation, resizeObservation } from './observation/image-observation.js';
import { transformObservation } from './observation/transform-observation.js';
import { orderEnforcing } from './order-enforcing.js';
import { passiveChecker } from './passive-checker.js';
import { recordEpisodeStatistics } from './recording/record-episode-statistics.js';
import { recordVideo } from './recording/record-video.js';
import { rescaleAction, rescaleObservation } from './rescale.js';
import { stickyAction } from './sticky-action.js';
import { timeLimit } from './time-limit.js';
import { transformAction } from './transform-action.js';
import { clipReward, transformReward } from './transform-reward.js';

export const builtInWrappers: ReadonlyMap<string, WrapperFactory> = new Map<string, WrapperFactory>([
  ['actionRepeat', ({ times }) => actionRepeat(times)],
  ['clipReward', clipReward],
  ['earlyEnd', earlyEnd],
  ['flattenObservation', flattenObservation],
  ['frameStack', ({ size }) => frameStack(size)],
  ['grayscaleObservation', grayscaleObservation],
  ['history', ({ length, ...options }) => history(length, options)],
  ['illegalAction', illegalAction],
  ['normalizeObservation', normalizeObservation],
  ['normalizeReward', normalizeReward],
  ['orderEnforcing', orderEnforcing],
  ['passiveChecker', passiveChecker],
  ['recordEpisodeStatistics', recordEpisodeStatistics],
  ['recordVideo', recordVideo],
  ['rescaleAction', rescaleAction],
  ['rescaleObservation', rescaleObservation],
  ['resizeObservation', resizeObservation],
  ['stickyAction', stickyAction],
  ['timeLimit', ({ steps }) => timeLimit(steps)],
  ['transformAction', ({ transform, space, ...options }) => transformAction(transform, space, options)],
  ['transformObservation', ({ transform, space }) => transformObservation(transform, space)],
  ['transformReward', ({ transform }) => transformReward(transform)],
]);
