/** @vlgym/minigrid: MiniGrid and BabyAI, with BabyAI-Text. Importing it registers every level. */
import './register.js';

export { MIXED_KINDS, type MixedKind } from './babyai/levels/mixed-local.js';
export { BALROG_ACTIONS, balrogInstruction } from './dialogue/balrog-dialogue.js';
export { DIALOGUE_STYLES, type DialogueStyle } from './dialogue/styles.js';
export type { MiniGridInfo } from './env/info.js';
export { createMiniGrid } from './env/make-level.js';
export { MiniGridEnv } from './env/minigrid-env.js';
export type {
  MiniGridObservation,
  ObservationOfKind,
  SymbolicObservation,
  TextAndImage,
} from './env/observations.js';
export type { MiniGridOptions, MixedLocalOptions, ObservationKind } from './env/options.js';
export { LEVELS, type LevelId } from './suite.js';
export { describeView } from './text/describe.js';
export { ACTIONS, COLORS, THING_TYPES } from './world/constants.js';
export { GenerationError } from './world/generation-error.js';
export type { Goal, Level, Outcome, Task } from './world/task.js';
export { Thing } from './world/thing.js';
export { type Place, World } from './world/world.js';
