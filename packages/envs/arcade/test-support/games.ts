/** Small games for tests, and whether there is a browser to play them in. */
import { installedChromium } from '@vlgym/chromium';
import { afterAll, beforeAll } from 'vitest';
import { ArcadeEnv } from '../src/arcade-env.js';
import type { ArcadeGame } from '../src/game.js';

export const hasChromium = installedChromium() !== undefined;

/** A page takes as long as the machine lets it. */
export const LIMIT = 120_000;

/** A game of one script, whose `game` has `score`, `over` and `said`. */
export const gameOf = (script: string, more: Partial<ArcadeGame> = {}): ArcadeGame => ({
  name: 'test',
  html: `<!doctype html><body style="margin: 0"><canvas width="32" height="16"></canvas><script>
const game = { score: 0, over: false, said: [] };
${script}
</script></body>`,
  width: 32,
  height: 16,
  actions: { wait: {}, go: { keys: ['ArrowRight'] }, click: { click: [5, 6] } },
  score: '() => game.score',
  over: '() => game.over',
  state: '() => JSON.stringify(game.said)',
  guide: { goal: 'Be tested.', rules: 'None.', score: 'None.' },
  ...more,
});

/** A page that keeps the browser while the tests of a block run; it ends with its last page, and takes a second to start. */
export function keepBrowser(): void {
  if (!hasChromium) return;
  const env = new ArcadeEnv(gameOf(''));
  beforeAll(() => env.reset({ seed: 0 }));
  afterAll(() => env.close());
}
