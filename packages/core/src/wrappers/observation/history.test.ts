import { describe, expect, it } from 'vitest';
import type { ChatMessage, Dialogue } from '../../dialogue/dialogue.js';
import { messageText, promptImages } from '../../dialogue/messages.js';
import type { Image } from '../../image.js';
import { CountingEnv } from '../../testing/counting-env.js';
import { ScriptedEnv } from '../../testing/scripted-env.js';
import { frameStack } from './frame-stack.js';
import { history } from './history.js';

describe('history', () => {
  it('keeps the last turns of the episode, with responses', () => {
    const env = new CountingEnv().pipe(history(2));
    env.reset({ seed: 1 });
    for (const [text, action] of [
      ['a', 0],
      ['b', 1],
      ['', 0],
    ] as const) {
      if (text) env.say(text);
      env.step(action);
    }
    expect(env.turns).toEqual([
      { observation: 0, text: 'b', action: 1, reward: 0 },
      { observation: 1, text: '', action: 0, reward: 0 },
    ]);
    env.reset();
    expect(env.turns).toEqual([]);
  });

  it.each([0, 1, 3])('passes the last %i turns of the history to the dialogue', (length) => {
    const { dialogue } = new CountingEnv().pipe(history(length));
    const turns = [0, 1, 2].map((observation) => ({ observation, text: `t${observation}`, action: 1, reward: 0 }));
    const [message] = dialogue!.prompt({ observation: 3, info: { target: 5 }, history: turns });
    const lines = messageText(message!).split('\n');
    expect(lines.slice(0, -1)).toEqual(
      turns.slice(3 - length).map(({ observation, text }) => `At ${observation} you said: ${text}`),
    );
    expect(dialogue!.version).toBe(`counting/plain-v1+history-${length}`);
  });

  it('adds turns to the info on request', async () => {
    const env = new ScriptedEnv().pipe(history(5, { inInfo: true }));
    expect((await env.reset()).info).toEqual({ history: [] });
    expect((await env.step(1)).info).toEqual({ history: [{ observation: 0, text: '', action: 1, reward: 1 }] });
  });

  it('keeps tools and choices, which an agent would otherwise play without', () => {
    const env = new CountingEnv();
    const tools = [{ name: 'count', description: 'Count.', parameters: {} }];
    const choices = ({ history: turns }: { readonly history: readonly unknown[] }) => [turns.length];
    const dialogue = { ...env.dialogue, tools, choices, check: () => true };
    const wrapped = Object.assign(env, { dialogue }).pipe(history(2)).dialogue!;
    expect(wrapped).toMatchObject({ tools, check: expect.any(Function) });
    const turn = { observation: 0, text: '', action: 1, reward: 0 };
    expect(wrapped.choices!({ observation: 0, info: { target: 5 }, history: [turn, turn, turn] })).toEqual([2]);
  });

  it('drops the oldest pictures first, and no text', () => {
    const image = (level: number): Image => ({ data: Uint8Array.of(level), height: 1, width: 1, channels: 1 });
    const messages: ChatMessage[] = [
      { role: 'system', content: 'rules' },
      {
        role: 'user',
        content: [1, 2].flatMap(
          (n) =>
            [
              { type: 'text', text: `${n}` },
              { type: 'image', image: image(n) },
            ] as const,
        ),
      },
      {
        role: 'user',
        content: [
          { type: 'image', image: image(3) },
          { type: 'text', text: 'now' },
        ],
      },
    ];
    const dialogue: Dialogue = { version: 'x-v1', prompt: () => messages, parse: () => ({}) as never };
    const env = Object.assign(new ScriptedEnv(), { dialogue: dialogue as Dialogue<number, number> });
    const prompt = (maxImages: number) =>
      env.pipe(history(9, { maxImages })).dialogue!.prompt({ observation: 0, info: {}, history: [] });
    expect(promptImages(prompt(2)).map(({ data }) => data[0])).toEqual([2, 3]);
    expect(promptImages(prompt(0))).toEqual([]);
    expect(prompt(1).map(messageText)).toEqual(['rules', '12', 'now']);
    expect(promptImages(messages)).toHaveLength(3);
  });

  it.each([-1, 0.5])('refuses a length of %s', (length) => {
    expect(() => new CountingEnv().pipe(history(length))).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
  });
});

describe('frameStack', () => {
  it('repeats the first frame, then slides', async () => {
    const env = new ScriptedEnv().pipe(frameStack(3));
    const first = (await env.reset()).observation;
    expect(first).toEqual([0, 0, 0]);
    expect((await env.step(0)).observation).toEqual([0, 0, 1]);
    await env.step(0);
    expect((await env.step(0)).observation).toEqual([1, 2, 3]);
    expect(first).toEqual([0, 0, 0]);
    expect(env.observationSpace.contains([1, 2, 3])).toBe(true);
    expect(env.observationSpace.contains([1, 2])).toBe(false);
    expect((await env.reset()).observation).toEqual([0, 0, 0]);
  });

  it('refuses an empty stack', () => {
    expect(() => new CountingEnv().pipe(frameStack(0))).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
  });
});
