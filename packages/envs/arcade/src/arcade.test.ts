/** The three games, and what makes any game an exact world: contract, repetition, snapshots, guides of actions. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkEnv, declaredEnvironments, hashImage, make, registeredIds } from '@vlgym/core';
import { Generator } from '@vlgym/core/random';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { gameOf, hasChromium, keepBrowser, LIMIT } from '../test-support/games.js';
import { ArcadeEnv, type ArcadeGame, CATCH, LAMPS, RULE, readGame } from './index.js';

vi.setConfig({ testTimeout: LIMIT, hookTimeout: LIMIT });

/** Pictures, scores and times of episodes with random actions, as one text each. */
async function episodes(game: ArcadeGame, seeds: readonly number[], steps = 30): Promise<string[]> {
  const env = new ArcadeEnv(game);
  const played: string[] = [];
  try {
    for (const seed of seeds) {
      const random = new Generator(seed);
      const first = await env.reset({ seed });
      const lines = [`${first.info.taskKey} ${hashImage(first.observation)}`];
      for (let step = 0; step < steps; step += 1) {
        const { observation, info, terminated } = await env.step(random.integers(env.actionSpace.n));
        lines.push(`${info.score} ${info.time} ${hashImage(observation)}`);
        if (terminated) break;
      }
      played.push(lines.join('\n'));
    }
  } finally {
    await env.close();
  }
  return played;
}

it('registers what the package declares', () => {
  expect(registeredIds()).toEqual(expect.arrayContaining([...declaredEnvironments(manifest)]));
});

describe.skipIf(!hasChromium)('the games, in a browser each time', () => {
  it.each([CATCH, LAMPS, RULE])('$name: two browsers play equal episodes', async (game) => {
    const seeds = [3, 4];
    const first = await episodes(game, seeds); // its browser ends with its last page
    expect(await episodes(game, seeds)).toEqual(first);
    expect(new Set(first).size).toBe(seeds.length);
  });
});

describe.skipIf(!hasChromium)('the games', () => {
  keepBrowser();

  it.each(manifest.vlgym.environments)('%s meets the contract of every environment', async (id) => {
    const report = await checkEnv(() => make(id), { steps: 3 });
    expect(report.findings).toEqual([]);
  });

  it.each([CATCH, LAMPS, RULE])('$name: the expert wins, and its answers are read back', async (game) => {
    const env = new ArcadeEnv(game);
    let { observation, info } = await env.reset({ seed: 1 });
    for (let over = false; !over; ) {
      const action = env.oracle() ?? 0;
      const answer = env.dialogue.demonstrate!({ observation, info, history: [] }, action);
      expect(env.dialogue.parse(answer)).toMatchObject({ action, legal: true, formatValid: true });
      const { terminated, truncated, ...result } = await env.step(action);
      ({ observation, info } = result);
      over = terminated || truncated;
    }
    expect(info.success).toBe(true);
    await env.close();
  });

  it('a snapshot is reached again in another page, and goes on equally', async () => {
    const [one, other] = [new ArcadeEnv(CATCH), new ArcadeEnv(CATCH)];
    await one.reset({ seed: 9 });
    for (const action of [1, 1, 0, 2, 2, 0, 1]) await one.step(action);
    await other.restore(JSON.parse(JSON.stringify(one.snapshot())));
    for (const action of [2, 2, 2, 1]) expect(await other.step(action)).toEqual(await one.step(action));
    expect((await other.reset()).info.taskKey).toBe((await one.reset()).info.taskKey);
    await Promise.all([one.close(), other.close()]);
  });

  it('a world is one side of a split, and the same by its number', async () => {
    const env = new ArcadeEnv(LAMPS, { split: 'test', dialogue: 'words-v1' });
    const { observation, info } = await env.reset({ seed: 5 });
    const again = await env.reset({ options: { world: Number(info.taskKey!.split(':')[1]) } });
    expect(again).toEqual({ observation, info });
    const [message] = env.dialogue.prompt({ observation, info, history: [] });
    expect(message!.content).toMatch(/^Lit: [a-d1-4, ]+\. Clicks: 0 of 24\.\nScore: 0\./);
    await env.close();
  });
});

describe.skipIf(!hasChromium)("a reader's game", () => {
  keepBrowser();
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vlgym-arcade-'));
    await mkdir(join(folder, 'code'));
    await writeFile(
      join(folder, 'index.html'),
      '<body><canvas id="view" width="20" height="20"></canvas><p>Coins: <b id="coins">0</b></p><p id="end" hidden>over</p><script type="module" src="code/main.js"></script>',
    );
    await writeFile(join(folder, 'code/rules.js'), 'export const GOAL = 3;');
    await writeFile(
      join(folder, 'code/main.js'),
      `import { GOAL } from './rules.js';
      let coins = 0;
      addEventListener('keydown', ({ code }) => {
        if (code !== 'Space') return;
        coins += 1;
        document.querySelector('#coins').textContent = coins;
        document.querySelector('#end').hidden = coins < GOAL;
      });`,
    );
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('needs ten lines: files of a folder, selectors for score and end', async () => {
    const env = new ArcadeEnv({
      ...(await readGame(folder)),
      ...{ name: 'coins', width: 20, height: 20, score: '#coins', over: '#end' },
      actions: { wait: {}, jump: { keys: [' '] } },
      guide: { goal: 'Collect three coins.', rules: 'Jump.', score: 'Each coin gains 1.' },
    });
    await env.reset({ seed: 0 });
    const rewards: number[] = [];
    for (let done = false; !done; ) {
      await env.step(0); // the key is released
      const { reward, terminated, info } = await env.step(1);
      rewards.push(reward);
      done = terminated;
      expect(info).toMatchObject({ blockedRequests: 0, errors: [] });
    }
    expect(rewards).toEqual([1, 1, 1]);
    expect(env.keys).toEqual({ space: 1, 0: 0 });
    await env.close();
  });

  it.each<[what: string, game: ArcadeGame, says: RegExp]>([
    ['no canvas', gameOf('', { canvas: '#other' }), /^The game was lost: TypeError: no canvas/],
    ['no score', gameOf('', { score: '() => game.points' }), /^The game test has no score/],
    ['a score that throws', gameOf('', { score: '() => nothing.there' }), /^The game test has no score/],
    ['an end at its start', gameOf('game.over = true;'), /^The game test is over at its start/],
    ['an expression with a wrong form', gameOf('', { over: '() => (' }), /^The game was lost: SyntaxError/],
  ])('is refused at its first reset for %s', async (_, game, says) => {
    const env = new ArcadeEnv(game);
    await expect(env.reset({ seed: 0 })).rejects.toThrow(says);
    await env.close();
  });

  it('gets clicks and keys as events of a person, between frames', async () => {
    const env = new ArcadeEnv(
      gameOf(`for (const kind of ['keydown', 'keyup', 'pointerdown', 'mouseup', 'click'])
        addEventListener(kind, (event) => game.said.push([kind, event.key ?? [event.offsetX, event.offsetY], Math.round(event.timeStamp)]));`),
      { framesPerStep: 3 },
    );
    await env.reset({ seed: 0 });
    await env.step(1);
    await env.step(1);
    const { info } = await env.step(2);
    expect(JSON.parse(info.state!)).toEqual([
      ['keydown', 'ArrowRight', 17],
      ['keydown', 'ArrowRight', 67],
      ['keyup', 'ArrowRight', 117],
      ['pointerdown', [5, 6], 117],
      ['mouseup', [5, 6], 133],
      ['click', [5, 6], 133],
    ]);
    await env.close();
  });
});

it.each<[what: string, change: object, code: string]>([
  ['a misspelled key', { scores: '#a' }, 'UNKNOWN_OPTION'],
  ['one action', { actions: { wait: {} } }, 'INVALID_OPTION'],
  ['a misspelled input', { actions: { wait: {}, go: { key: ['a'] } } }, 'UNKNOWN_OPTION'],
  ['a name with blanks', { name: 'my game' }, 'INVALID_OPTION'],
  ['a canvas of no size', { width: 0 }, 'INVALID_OPTION'],
])('a description with %s is refused', (_, change, code) => {
  expect(() => new ArcadeEnv({ ...gameOf(''), ...change } as ArcadeGame)).toThrow(expect.objectContaining({ code }));
});
