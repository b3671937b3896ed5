import { type Agent, randomAgent } from '@vlgym/agents';
import { make } from '@vlgym/core';
import '@vlgym/points24';
import { describe, expect, it } from 'vitest';
import { AgentPlayer } from './agent-player.js';

const order = { run: 'test', order: 3, seed: 11, group: 3, index: 0, minVersion: 0, epoch: 1 };
const makeEnv = () => make('vlgym/NumberLine-v1');

describe('an agent on a worker', () => {
  it('keeps a memory per episode and hears how it ended, as in an evaluation', async () => {
    const heard: unknown[] = [];
    const random = randomAgent();
    const agent: Agent<unknown, unknown, never, { steps: number }> = {
      name: 'counter',
      begin: () => ({ steps: 0 }),
      act(context) {
        context.memory.steps += 1;
        return random.act(context as never);
      },
      end: ({ memory, length, counted }) => void heard.push({ steps: memory.steps, length, counted }),
    };
    const player = new AgentPlayer({ makeEnv, agent: agent as never, runSeed: 5 });
    const { steps, summary } = await player.play(order);
    await player.close();
    expect(steps).toHaveLength(summary.length);
    expect(heard).toEqual([{ steps: summary.length, length: summary.length, counted: true }]);
  });

  it('fails with the cause when the agent throws, so that the order is played again', async () => {
    const cause = new Error('no key');
    const agent: Agent = { name: 'broken', act: () => Promise.reject(cause) };
    const player = new AgentPlayer({ makeEnv, agent, runSeed: 5 });
    await expect(player.play(order)).rejects.toBe(cause);
    await player.close();
  });

  it('stops where the order is taken away', async () => {
    const stop = new AbortController();
    const agent: Agent = {
      name: 'slow',
      act() {
        stop.abort(new Error('lease lost'));
        return new Promise(() => {});
      },
    };
    const player = new AgentPlayer({ makeEnv, agent, runSeed: 5 });
    await expect(player.play(order, stop.signal)).rejects.toThrow('lease lost');
    await player.close();
  });
});
