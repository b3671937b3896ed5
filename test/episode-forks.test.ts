/** On all worlds, the fork of a snapshot and of a replayed prefix give the same future. */
import { fallbackAction } from '@vlgym/agents';
import { Episode } from '@vlgym/agents/episode';
import { type AnyEnv, Generator, make } from '@vlgym/core';
import { digestObservation } from '@vlgym/core/trajectory';
import '@vlgym/alfworld';
import '@vlgym/miniworld';
import '@vlgym/points24';
import '@vlgym/webshop';
import { expect, it, vi } from 'vitest';

vi.setConfig({ testTimeout: 120_000 });

const WORLDS = [
  'gym_cards/Points24-v0',
  'vlgym/Blackjack-v1',
  'MiniWorld-OneRoomS6Fast-v0',
  'vlgym/ALFWorld-v2',
  'vlgym/WebShop-v1',
];
const FORKS = 20;

const withoutSnapshots = (env: AnyEnv) => {
  Object.defineProperty(env, 'snapshot', { value: undefined });
  return env;
};

/** Plays random turns, some of them unreadable. @returns a digest of everything that was seen. */
async function futureOf(episode: Episode, seed: number, turns: number) {
  const rng = new Generator(seed);
  const seen: unknown[] = [];
  for (let turn = 0; turn < turns && episode.isRunning; turn += 1) {
    const action = rng.random() < 0.2 ? undefined : fallbackAction({ ...episode.context, rng });
    const { result } = await episode.act(episode.decide({ action, text: 'so' }));
    seen.push([digestObservation(result!.observation), result!.reward, result!.terminated, episode.prompt().length]);
  }
  return { seen, summary: episode.summary() };
}

it.each(WORLDS)('%s', async (id) => {
  const episode = new Episode({ env: (await make(id)) as AnyEnv });
  const open: Episode[] = [episode];
  for (let fork = 0; fork < FORKS; fork += 1) {
    await episode.reset({ seed: fork });
    await futureOf(episode, fork, fork % 7);
    const { state } = episode;
    const restored = await episode.fork({ id: 'fork' });
    const env = withoutSnapshots((await make(id)) as AnyEnv);
    const prefix = new Episode({ env });
    await prefix.reset({ seed: fork });
    await futureOf(prefix, fork, fork % 7);
    const played = await prefix.fork({ id: 'fork' });
    open.push(restored, prefix, played);
    const future = await futureOf(restored, 100 + fork, 10);
    expect(await futureOf(played, 100 + fork, 10)).toEqual(future);
    expect(episode.state).toBe(state);
    const { id: _, ...rest } = future.summary;
    expect((await futureOf(episode, 100 + fork, 10)).summary).toMatchObject(rest);
  }
  for (const each of open) await each.close();
});
