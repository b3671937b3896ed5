/** Checks the answers of a page about its game: its scripts may say anything. */
import { z } from 'zod';
import type { CheckedGame } from './game.js';
import { GameInvalidError, GameLostError } from './page/page-lost.js';

export interface Look {
  readonly score: number;
  readonly over: boolean;
  readonly won?: boolean | undefined;
  readonly expert?: string | undefined;
  readonly state?: string | undefined;
  /** Milliseconds. */
  readonly time: number;
  readonly errors: readonly string[];
  /** RGB, rows from the top. */
  readonly pixels: Uint8Array;
}

const MAX_STATE = 20_000;

const schema = z.object({
  score: z.unknown().optional(),
  over: z.boolean(),
  won: z.unknown().optional(),
  expert: z.unknown().optional(),
  state: z.unknown().optional(),
  time: z.number().nonnegative(),
  errors: z.array(z.string()).max(5),
  pixels: z.string(),
});

/** @throws {GameInvalidError} The score is not a number. @throws {GameLostError} The answer is not the controller's. */
export function readLook(text: string, { name, config }: CheckedGame): Look {
  const parsed = schema.safeParse(jsonOf(text));
  if (!parsed.success) throw new GameLostError('it answers in another form');
  const { score, over, won, expert, state, time, errors } = parsed.data;
  const pixels = new Uint8Array(Buffer.from(parsed.data.pixels, 'base64'));
  if (pixels.length !== config.width * config.height * 3) throw new GameLostError('its picture has another size');
  if (typeof score !== 'number' || !Number.isFinite(score)) {
    throw new GameInvalidError(name, 'has no score', { score, errors }, 'a finite number');
  }
  return {
    ...{ score, over, time, errors, pixels },
    ...(typeof won === 'boolean' && { won }),
    ...(typeof expert === 'string' && { expert }),
    ...(typeof state === 'string' && { state: state.slice(0, MAX_STATE) }),
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
