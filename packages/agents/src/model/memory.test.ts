/** Memory of an episode, and prompts of agents that act by tools. */
import { type AnyEnv, make } from '@vlgym/core';
import { ToolLoopAgent } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import '@vlgym/alfworld';
import '@vlgym/miniworld';
import '@vlgym/points24';
import '@vlgym/webshop';
import { CorridorEnv } from '../../test-support/corridor-env.js';
import { type Entry, toolModel } from '../../test-support/tool-model.js';
import { type AnyAgent, evaluate, modelAgent, toolAgent } from '../index.js';
import { toolPrompt } from '../tools/tool-prompt.js';
import { actionTools } from './index.js';

const env = () => new CorridorEnv({ length: 60, limit: 90 });
const RIGHT = '{"thoughts": "on", "action": "right"}';
const act: Entry = [{ tool: 'act', input: { action: 'right' } }];
const seen: Entry = [{ tool: 'look', input: {} }];
const look = { inputSchema: z.object({}), execute: async () => 'a door' };

interface Message {
  readonly role: string;
  readonly content: unknown;
}
const prompts = (model: ReturnType<typeof toolModel>): Message[][] =>
  model.doGenerateCalls.map(({ prompt }) => (prompt as Message[]).filter(({ role }) => role !== 'system'));
const roles = (prompt: readonly Message[]) => prompt.map(({ role }) => role[0]).join('');

/** Both kinds of agents, with the same memory and the same tools. */
const kinds: [string, (model: ReturnType<typeof toolModel>, memory: object) => AnyAgent][] = [
  ['modelAgent', (model, memory) => modelAgent(model, { actions: 'tools', tools: { look }, ...memory })],
  [
    'toolAgent',
    (model, memory) =>
      toolAgent(({ env }) => new ToolLoopAgent({ model, tools: { ...actionTools(env), look } }), memory),
  ],
];

describe.each(kinds)('memory of %s', (_, agentOf) => {
  const play = async (script: readonly Entry[], memory: object, seeds = [0]) => {
    const model = toolModel(script, true);
    const { firstFailure } = await evaluate({ env, agent: agentOf(model, memory), seeds, maxSteps: 3 });
    expect(firstFailure).toBeUndefined();
    return prompts(model);
  };

  it('is nothing by default, the whole conversation with episode, and begins again with each episode', async () => {
    const without = await play([act], {});
    expect(new Set(without.map(({ length }) => length)).size).toBe(1);
    const whole = (await play([seen, act], { memory: 'episode' }, [0, 1])).map(roles);
    const now = whole[0]!;
    // one turn: prompt, look and its result, the action and its result
    expect(whole.slice(0, 4)).toEqual([now, `${now}at`, `${now}atat${now}`, `${now}atat${now}at`]);
    expect(whole.filter((each) => each === now)).toHaveLength(2);
  });

  it('has a window, and a summary in place of what left it', async () => {
    const asked: number[] = [];
    const summarize = (messages: readonly unknown[]) => {
      asked.push(messages.length);
      return `summary ${asked.length}`;
    };
    const two = await play([act], { memory: { turns: 1, summarize } });
    const [first] = two;
    expect(two.map(roles)).toEqual([
      roles(first!),
      `${roles(first!)}at${roles(first!)}`,
      `u${roles(first!)}at${roles(first!)}`,
    ]);
    expect(JSON.stringify(two[2]![0])).toContain('Earlier turns, in short: summary 1');
    expect(asked).toEqual([roles(first!).length + 2, roles(first!).length + 3]);
    expect((await play([act], { memory: { turns: 0 } })).map(roles)).toEqual([
      roles(first!),
      roles(first!),
      roles(first!),
    ]);
  });

  it('is checked, and part of the identity', async () => {
    expect(() => agentOf(toolModel([]), { memory: 'always' })).toThrow(/Invalid memory/);
    expect(() => agentOf(toolModel([]), { memory: { turn: 3 } })).toThrow(/did you mean "turns"/);
    expect(await agentOf(toolModel([]), { memory: { turns: 3 } }).identity?.()).toMatchObject({ memory: { turns: 3 } });
    expect(await agentOf(toolModel([]), {}).identity?.()).not.toHaveProperty('memory');
  });

  it('the prompt says to call one tool, never to write JSON, and is recorded as it was sent', async () => {
    const model = toolModel([act], true);
    const generic = () => make('vlgym/NumberLine-v1') as Promise<AnyEnv>;
    await evaluate({ env: generic, agent: agentOf(model, {}), seeds: [0], maxSteps: 1 });
    const sent = JSON.stringify(prompts(model)[0]);
    expect(sent).toContain('Call one tool to act: act.');
    expect(sent).not.toMatch(/JSON/i);
  });
});

it('a written conversation is kept, too', async () => {
  const model = toolModel([RIGHT], true);
  await evaluate({ env, agent: modelAgent(model, { memory: 'episode' }), seeds: [0], maxSteps: 3 });
  expect(prompts(model).map(roles)).toEqual(['u', 'uau', 'uauau']);
});

it('prompts of all environments lose the form of a written answer, and nothing else', async () => {
  const texts: string[] = [];
  for (const id of [
    'vlgym/NumberLine-v1',
    'vlgym/Points24-v1',
    'vlgym/Blackjack-v1',
    'vlgym/Signs-v2',
    'gym_cards/EZPoints-v0',
    'MiniWorld-Hallway-v0',
    'vlgym/ALFWorld-v1',
    'vlgym/WebShop-v1',
  ]) {
    const made = await make(id);
    const { observation, info } = await made.reset({ seed: 1 });
    const prompt = made.dialogue!.prompt({ observation, info, history: [] });
    const before = JSON.stringify(prompt, (key, value) => (key === 'image' ? 0 : value));
    const after = JSON.stringify(toolPrompt(prompt, ['act']), (key, value) => (key === 'image' ? 0 : value));
    expect([id, /JSON object|json file/i.test(before)]).toEqual([id, true]);
    expect([id, /JSON object|json file/i.test(after)]).toEqual([id, false]);
    expect([id, after.includes('Call one tool to act: act.')]).toEqual([id, true]);
    texts.push(after);
    await made.close();
  }
  expect(texts.every((text) => text.length > 120)).toBe(true);
});
