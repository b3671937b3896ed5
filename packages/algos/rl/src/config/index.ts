/** Groups of options that algorithms share, with their schemas. */
export { valueAtPath } from './compose.js';
export {
  actorCriticOptions,
  advantageOptions,
  clipOptions,
  commonOptions,
  correctionOptions,
  criticOptions,
  filterOptions,
  groupAlgorithmOptions,
  groupOptions,
  optimizerOptions,
  optionGroup,
  regularizerOptions,
  rewardOptions,
  rolloutOptions,
  shiftEntry,
  stepLossOptions,
  tokenLossOptions,
  tokenLossShape,
} from './option-groups.js';
export { type OptionKind, type OptionSchema, optionEntries, taskOption } from './option-kinds.js';
export type {
  ActorCriticConfig,
  AnyConfig,
  CommonConfig,
  GroupConfig,
  RegularizerConfig,
  StepLossConfig,
  TokenLossConfig,
} from './types.js';
