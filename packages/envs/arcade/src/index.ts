/**
 * @vlgym/arcade: JavaScript games as exact worlds. Importing it registers three games; `ArcadeEnv` plays any other.
 *
 * Needs a Chromium.
 */
import './register.js';

export { ChromiumLaunchError, ChromiumMissingError } from '@vlgym/chromium';
export { ArcadeEnv, type ArcadeOptions } from './arcade-env.js';
export type { ArcadeStyle } from './dialogue.js';
export { type ArcadeGame, type ArcadeInput, readGame } from './game.js';
export { CATCH } from './games/catch.js';
export { LAMPS } from './games/lamps.js';
export { RULE } from './games/rule.js';
export type { ArcadeInfo } from './info.js';
export { GameInvalidError, GameLostError } from './page/page-lost.js';
