/** @vlgym/puzzles: Sokoban and FrozenLake, as published and with VAGEN's turns, and BALROG's Baba Is AI. Importing it registers them. */
import './register.js';

export { BabaEnv, type BabaOptions } from './baba/baba-env.js';
export {
  BABA_INSTRUCTION,
  BABA_STYLES,
  type BabaStyle,
} from './baba/dialogue.js';
export { BABA_ACTIONS } from './baba/game.js';
export type { BabaInfo, BabaObservation, BabaTextAndImage } from './baba/info.js';
export { BABA_LEVELS, type BabaLevel } from './baba/levels.js';
export { PLAIN_STYLES, type PlainStyle } from './dialogue/plain.js';
export { FrozenLakeEnv, type FrozenLakeOptions, type LakeInfo, type LakeObservation } from './lake/frozen-lake-env.js';
export { LAKE_ACTIONS, Lake, type LakeRules } from './lake/lake.js';
export { LAKE_MAPS, type LakeMap, type LakeMapName, randomMap, vagenMap } from './lake/maps.js';
export { boardOf } from './sokoban/board.js';
export { SOKOBAN_ACTIONS, SokobanGame } from './sokoban/game.js';
export { type GeneratedRoom, type Generators, generateRoom, type RoomSize } from './sokoban/generate.js';
export { generatorsOf, SOKOBAN_LEVELS } from './sokoban/levels.js';
export type { Room } from './sokoban/room.js';
export {
  SokobanEnv,
  type SokobanInfo,
  type SokobanObservation,
  type SokobanOptions,
} from './sokoban/sokoban-env.js';
export { solve } from './sokoban/solve.js';
export {
  VAGEN_STYLES,
  type VagenInfo,
  type VagenObservation,
  type VagenStyle,
  vagenInstruction,
} from './vagen/dialogue.js';
export { VAGEN_WORDS } from './vagen/game.js';
export { parseVagen, VAGEN_FORMATS, type VagenAnswer, type VagenFormat } from './vagen/parse.js';
export { VagenLakeEnv, type VagenLakeOptions } from './vagen/vagen-lake-env.js';
export { VagenSokobanEnv, type VagenSokobanOptions } from './vagen/vagen-sokoban-env.js';
export { LAKE_WORDS, SOKOBAN_WORDS, type VagenWords } from './vagen/words.js';
