/** @vlgym/crafter: Crafter, seed for seed and pixel for pixel, and with the words of BALROG. Importing it registers it. */
import './register.js';

export { BALROG_ACTIONS, BALROG_INSTRUCTION } from './dialogue/balrog-dialogue.js';
export { DIALOGUE_STYLES, type DialogueStyle } from './dialogue/styles.js';
export { CrafterEnv } from './env/crafter-env.js';
export type { CrafterInfo } from './env/info.js';
export type { CrafterObservation, ObservationOfKind, TextAndImage } from './env/observations.js';
export type { CrafterOptions, NightNoise, ObservationKind } from './env/options.js';
export type { CrafterId } from './env/variants.js';
export { OpenSimplex } from './numbers/open-simplex.js';
export { worldSeedOf } from './numbers/python-hash.js';
export { Painter } from './pictures/painter.js';
export { describeInventory, describeView } from './text/describe.js';
export { type Area, Game } from './world/game.js';
export { type Body, Player, type Stock } from './world/player.js';
export {
  ACHIEVEMENTS,
  ACTIONS,
  type Achievement,
  type ActionName,
  ITEMS,
  type Item,
  MATERIALS,
  type Material,
} from './world/rules.js';
export { KINDS, type Kind, Thing } from './world/things.js';
export { World } from './world/world.js';
