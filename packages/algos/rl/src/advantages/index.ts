/** Advantage estimators: GAE, groups, tokens. */
export { type GigpoAdvantages, type GigpoOptions, type GigpoRows, gigpo } from './gigpo.js';
export {
  type GroupAdvantageKind,
  type GroupAdvantageOptions,
  type GroupAdvantages,
  groupAdvantage,
  membersOf,
  onEveryStep,
  trajectoryGroups,
  trajectoryReturns,
  uniformShare,
} from './group.js';
export { type Moments, moments, type NormalizeOptions, normalize } from './normalize.js';
export { type Shift, type ShiftEntry, type ShiftedAdvantages, shiftedAdvantages } from './shifts.js';
export {
  type Advantages,
  type GaeOptions,
  type StepRewards,
  type StorageRewards,
  stepGae,
  storageGae,
} from './step-gae.js';
export {
  estimateTargets,
  normalizeTokens,
  type PerStepOrToken,
  rawAdvantages,
  type Targets,
  targetsFrom,
} from './targets.js';
export { alongEpisodes, type EpisodeTokens, type TokenEstimates, tokenRewards } from './tokens.js';
