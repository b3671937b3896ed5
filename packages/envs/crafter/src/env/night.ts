/** The noise of dark pictures, which the published program draws from the generator of the world. */
import { RandomState } from '@vlgym/core/random';
import { DUSK } from '../pictures/painter.js';
import type { Game } from '../world/game.js';
import type { NightNoise } from './options.js';

const [LOW, HIGH] = [32, 127];
/** Tells the generator of pictures from that of the world. */
const OWN = 0x6e6f6973;

/**
 * The numbers of a picture that is drawn now.
 *
 * @param count  Pixels of the map's part of the picture.
 * @returns `undefined` by day.
 */
export function drawNoise(game: Game, kind: NightNoise, count: number): Float64Array | undefined {
  if (game.world.daylight >= DUSK) return undefined;
  const random = kind === 'world' ? game.world.random : ownGenerator(game);
  return random.uniform(LOW, HIGH, count);
}

/** The numbers of a picture that nobody asked for, so that the world goes on as if it was drawn. */
export function skipNoise(game: Game, kind: NightNoise, count: number): void {
  if (kind === 'own' || game.world.daylight >= DUSK) return;
  for (let index = 0; index < count; index += 1) game.world.random.random();
}

/** Another one for every step, so that nothing has to be kept. */
function ownGenerator({ steps, player }: Game): RandomState {
  return new RandomState((OWN ^ Math.imul(steps, 2654435761) ^ (player.x << 8) ^ player.y) >>> 0);
}
