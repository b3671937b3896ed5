/** The matchers: verdicts, early ends, excluded episodes, messages, misuse. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AnyAgent, evaluate } from '@vlgym/agents';
import { CassetteMissError } from '@vlgym/agents/cassette';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { corridor, failing, playerAt } from '../test-support/players.js';
import './index.js';

let home = '';
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'vlgym-vitest-'));
  vi.spyOn(process, 'cwd').mockReturnValue(home); // recordings go there
});
afterAll(async () => {
  vi.restoreAllMocks();
  await rm(home, { recursive: true, force: true });
});

/** The checks that the reporter gets from the matchers of the running test. */
const checks = (task: { meta: { vlgym?: readonly object[] } }) => task.meta.vlgym ?? [];
const fails = (promise: Promise<void>) =>
  promise.then(
    () => '',
    (error: Error) => error.message,
  );

describe('toSolve', () => {
  it('passes an agent that keeps the rate, before the last episode', async ({ task }) => {
    await expect(playerAt(1)).toSolve(corridor, { rate: 0.8, episodes: 40 });
    const [check] = checks(task);
    expect(check).toMatchObject({ verdict: 'pass', planned: 40, excluded: 0 });
    expect((check as { episodes: number }).episodes).toBeLessThan(15);
    expect((check as { text: string }).text).toMatch(
      /clear after \d+ of 40; an agent at [\d.]+ % would be found with 90 %/,
    );
  });

  it('fails an agent that does not, and shows an episode with its last steps and where to watch it', async () => {
    const message = await fails(expect(playerAt(0.2)).toSolve(corridor, { rate: 0.8, episodes: 40 }));
    expect(message).toMatch(/does not keep a success rate of 80 % on the environment: \d of \d+ episodes solved/);
    expect(message).toMatch(/\n {2}4 {2}0 {2}reward -0.1/);
    const folder = /npx vlgym watch (\S+)/.exec(message)?.[1];
    expect(existsSync(join(home, folder!, 'episodes.jsonl'))).toBe(true);
  });

  it('has one verdict for any number of episodes side by side', async ({ task }) => {
    for (const parallel of [1, 3, 16]) {
      await fails(expect(playerAt(0.6)).toSolve(corridor, { rate: 0.8, episodes: 40, parallel, record: false }));
    }
    const [first, ...others] = checks(task) as { verdict: string; episodes: number; text: string }[];
    for (const { verdict, episodes, text } of others) {
      expect({ verdict, episodes, text }).toEqual({
        verdict: first!.verdict,
        episodes: first!.episodes,
        text: first!.text,
      });
    }
  });

  it('an excluded episode never makes a rate pass', async ({ task }) => {
    const seldom = failing(playerAt(1), (episode) => episode > 0);
    const message = await fails(expect(seldom).toSolve(corridor, { rate: 0.5, episodes: 10, record: false }));
    expect(message).toMatch(/cannot be shown to keep .* 9 episodes excluded, first MODEL_HTTP_ERROR/);
    // nor the opposite
    await expect(
      fails(expect(seldom).not.toSolve(corridor, { rate: 0.5, episodes: 10, record: false })),
    ).resolves.toMatch(/cannot be shown/);
    const none = failing(playerAt(1), () => true);
    expect(await fails(expect(none).toSolve(corridor, { rate: 0.5, episodes: 10, record: false }))).toMatch(
      /no episode counts/,
    );
    expect(checks(task).map((check) => (check as { verdict: string }).verdict)).toEqual([
      'undecided',
      'undecided',
      'undecided',
    ]);
  });

  it('whatever is excluded, the verdict is a pass only if it is one with all of these failed', async () => {
    for (let seed = 0; seed < 8; seed += 1) {
      const mixed = failing(playerAt(0.95, 'mixed', seed), (episode) => (episode * 7 + seed) % 4 === 0);
      expect(
        await fails(expect(mixed).toSolve(corridor, { rate: 0.9, episodes: 24, parallel: 1, record: false })),
      ).not.toBe('');
    }
    const once = failing(playerAt(1), (episode) => episode === 3);
    await expect(once).toSolve(corridor, { rate: 0.7, episodes: 40, parallel: 1, record: false });
  });

  it('an answer that no cassette has fails the test only where it is needed', async () => {
    const missing = (from: number): AnyAgent => {
      const player = playerAt(1, 'played again');
      return {
        ...player,
        act: async (context) => {
          if (Number(/\d+$/.exec(context.episodeId ?? '')) >= from)
            throw new CassetteMissError('a.jsonl', 'm', 'x', []);
          for (let tick = 0; tick < 20; tick += 1) await null; // slower than the miss
          return player.act(context);
        },
      };
    };
    const options = { rate: 0.8, episodes: 40, parallel: 8, record: false as const };
    expect(await fails(expect(missing(8)).toSolve(corridor, options))).toBe(''); // clear after eight
    expect(await fails(expect(missing(7)).toSolve(corridor, options))).toMatch(/a.jsonl has no answer of m to: x/);
  });

  it('an agent that is as good as promised fails at most one test in twenty', async () => {
    let failed = 0;
    for (let salt = 0; salt < 100; salt += 1) {
      const options = {
        rate: 0.8,
        seeds: Array.from({ length: 24 }, (_, index) => salt * 100 + index),
        record: false as const,
      };
      if (await fails(expect(playerAt(0.8, 'as promised', salt)).toSolve(corridor, options))) failed += 1;
    }
    expect(failed).toBeLessThanOrEqual(5 + 6); // the mean and three standard errors
  });

  it('plays an agent of a class, with its memory and private members', async () => {
    class Walker {
      readonly name = 'walker';
      readonly #right = 1;
      begin() {
        return { action: this.#right };
      }
      act({ memory }: { readonly memory: { readonly action: number } }) {
        return { action: memory.action, text: '' };
      }
    }
    await expect(new Walker()).toSolve(corridor, { rate: 0.8, record: false });
  });

  it('says what is wrong where it is called wrongly', async ({ task }) => {
    await expect(fails(expect(42).toSolve(corridor, { rate: 0.8 }))).resolves.toMatch(/`toSolve` was called on 42/);
    await expect(fails(expect(playerAt).toSolve(corridor, { rate: 0.8 }))).resolves.toMatch(
      /call it: expect\(playerAt\(…\)\)/,
    );
    const misspelled = { rate: 0.8, episode: 3 } as unknown as { rate: number };
    await expect(fails(expect(playerAt(1)).toSolve(corridor, misspelled))).resolves.toMatch(/did you mean "episodes"/);
    await expect(fails(expect(playerAt(1)).toSolve(corridor, { rate: 0.3, episodes: 4 }))).resolves.toMatch(
      /9 or more/,
    );
    await expect(fails(expect(playerAt(1)).toSolve(corridor, { rate: 80 }))).resolves.toMatch(/Invalid rate: 80/);
    const nothing = undefined as unknown as { rate: number };
    await expect(fails(expect(playerAt(1)).toSolve(corridor, nothing))).resolves.toMatch(/Invalid rate: undefined/);
    expect(checks(task).at(-1)).toMatchObject({
      verdict: 'undecided',
      text: 'INVALID_OPTION: Invalid rate: undefined.',
    });
    await expect(fails(expect(playerAt(1)).toSolve(corridor, { rate: 0.8, seeds: [1, 1] }))).resolves.toMatch(
      /each seed once/,
    );
  });
});

describe('toSolveAtLeastAsWellAs', () => {
  const env = corridor;

  it('makes the recording on the first run, and passes the same agent after it', async ({ task }) => {
    const recording = join(home, 'baseline');
    vi.stubEnv('CI', '');
    await expect(playerAt(0.8)).toSolveAtLeastAsWellAs(recording, { env, episodes: 40 });
    vi.stubEnv('CI', 'true');
    await expect(playerAt(0.8)).toSolveAtLeastAsWellAs(recording, { env });
    vi.unstubAllEnvs();
    const [made, again] = checks(task) as { text: string; episodes: number }[];
    expect(made!.text).toMatch(/was recorded in .*baseline: [\d.]+ % of 40 episodes solved/);
    expect(again!.text).toMatch(/0 gained and 0 lost in \d+ episodes, difference 0 %.*clear after \d+ of 40/);
    expect(again!.episodes).toBeLessThan(40);
  });

  it('fails an agent that got worse, with episodes that it solved before', async () => {
    const before = await evaluate({ env, agent: playerAt(0.95, 'player'), episodes: 60 });
    const message = await fails(expect(playerAt(0.5, 'player')).toSolveAtLeastAsWellAs(before, { env }));
    expect(message).toMatch(/player no longer solves the environment as well as player then: 0 gained and \d+ lost/);
  });

  it('passes the same sampling agent under new draws: at least 95 of 100 times', async () => {
    const before = await evaluate({ env, agent: playerAt(0.8), episodes: 30 });
    let failed = 0;
    for (let salt = 1; salt <= 100; salt += 1) {
      const again = expect(playerAt(0.8, 'again', salt)).toSolveAtLeastAsWellAs(before, { env, record: false });
      if (await fails(again)) failed += 1;
    }
    expect(failed).toBeLessThanOrEqual(5);
  });

  it('an excluded episode never makes it pass', async () => {
    const before = await evaluate({ env, agent: playerAt(1), episodes: 20 });
    const broken = failing(playerAt(1), (episode) => episode % 2 === 0);
    const message = await fails(expect(broken).toSolveAtLeastAsWellAs(before, { env, record: false, parallel: 1 }));
    expect(message).toMatch(/cannot be shown to solve .* excluded/);
  });

  it('says what is missing', async () => {
    vi.stubEnv('CI', 'true');
    const missing = fails(expect(playerAt(1)).toSolveAtLeastAsWellAs(join(home, 'nowhere'), { env }));
    await expect(missing).resolves.toMatch(/is not there[\s\S]*run the test once without CI/);
    vi.unstubAllEnvs();
  });
});

describe('toStayWithin', () => {
  it('judges the episodes that the agent has just played', async () => {
    const agent = playerAt(1);
    await expect(agent).toSolve(corridor, { rate: 0.8, episodes: 20, record: false });
    await expect(agent).toStayWithin({ steps: 5, tokens: 500, cost: 0.05, seconds: 10 });
    const message = await fails(expect(agent).toStayWithin({ tokens: 150 }));
    expect(message).toMatch(/does not stay within its limits: 200 tokens of 150 \(over in 1 episode: seeds 1\)/);
  });

  it('plays where an environment is named; means and totals have limits, too', async () => {
    const agent = playerAt(0);
    await expect(agent).toStayWithin({ cost: 0.06 }, { env: corridor, episodes: 3, of: 'mean', record: false });
    const total = fails(
      expect(agent).toStayWithin({ cost: 0.06 }, { env: corridor, episodes: 3, of: 'total', record: false }),
    );
    await expect(total).resolves.toMatch(/0\.15 cost of 0\.06, the total of 3 episodes/);
  });

  it('judges an evaluation, but for its time', async () => {
    const evaluation = await evaluate({ env: corridor, agent: playerAt(1), episodes: 3 });
    await expect(evaluation).toStayWithin({ steps: 5 });
    await expect(fails(expect(evaluation).toStayWithin({ seconds: 5 }))).resolves.toMatch(
      /results of evaluations have no time/,
    );
  });

  it('an excluded episode makes it undecided', async () => {
    const agent = failing(playerAt(1), (episode) => episode === 1);
    const one = fails(expect(agent).toStayWithin({ tokens: 900 }, { env: corridor, episodes: 3, record: false }));
    await expect(one).resolves.toMatch(/cannot be shown to stay .* 1 episode excluded, and what they would have used/);
  });

  it('without an episode that counts nothing is shown', async () => {
    const agent = failing(playerAt(1), () => true);
    const none = fails(expect(agent).toStayWithin({ tokens: 5 }, { env: corridor, episodes: 2, record: false }));
    await expect(none).resolves.toMatch(/cannot be shown to stay .* none of which counts/);
    await expect(fails(expect(playerAt(1)).toStayWithin({ tokens: 5 }))).resolves.toMatch(
      /has not played in this test/,
    );
  });
});
