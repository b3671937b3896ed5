import { PassThrough } from 'node:stream';
import { spaces } from '@vlgym/core';
import { describe, expect, it } from 'vitest';
import { corridorContext } from '../../test-support/context.js';
import { ansiPicture, humanAgent } from '../index.js';
import { completions } from './line-reader.js';
import { choiceTable, nearMiss, wrapped } from './terminal-text.js';

/** A terminal: the input typed ahead, and the output so far. */
function terminal(...typed: string[]) {
  const input = new PassThrough();
  const output = new PassThrough();
  input.write(typed.map((line) => `${line}\n`).join(''));
  const agent = humanAgent({ input, output });
  return { input, agent, shown: () => String(output.read() ?? '') };
}

describe('humanAgent', () => {
  it('shows the picture and the actions, and plays the typed action', async () => {
    const { agent, shown } = terminal('right');
    expect(await agent.act(corridorContext(3))).toEqual({ action: 1, text: '' });
    const text = shown();
    expect(text).toContain(':help');
    expect(text).toContain('Actions:\n  left   right\n');
    expect(text).toContain('\x1b[38;2;');
    expect(text.split('\n').at(-1)).toBe('> ');
  });

  it('shows what the environment renders as text', async () => {
    const { agent, shown } = terminal('right');
    const context = corridorContext(3);
    Object.assign(context.env, { renderMode: 'ansi', render: () => 'You stand in a corridor.' });
    await agent.act(context);
    expect(shown()).toContain('You stand in a corridor.');
  });

  it('explains an invalid action, and asks again', async () => {
    const { agent, shown } = terminal('up', ':help', '', ':hint', 'LEFT');
    expect(await agent.act(corridorContext(3))).toMatchObject({ action: 0 });
    const text = shown();
    expect(text).toContain('"up" is not an action. Type one of: left, right.');
    expect(text).toContain('Hint: right');
    expect(text.split('> ').length - 1).toBe(5);
  });

  it('keeps lines that were typed ahead for the next turns', async () => {
    const { agent } = terminal('left', 'right', 'left');
    const actions = [];
    for (let stepIndex = 0; stepIndex < 3; stepIndex += 1) {
      actions.push((await agent.act(corridorContext(3, { stepIndex }))).action);
    }
    expect(actions).toEqual([0, 1, 0]);
  });

  it('ends the episode when the player quits or the input ends', async () => {
    const leaving = terminal(':quit');
    expect(await leaving.agent.act(corridorContext())).toMatchObject({ error: { code: 'HUMAN_QUIT' } });
    const ending = terminal();
    ending.input.end();
    expect(await ending.agent.act(corridorContext())).toMatchObject({ error: { code: 'HUMAN_QUIT' } });
  });

  it('stops waiting when the caller aborts, and can act again', async () => {
    const { agent, input } = terminal();
    const controller = new AbortController();
    const turn = agent.act(corridorContext(3, { signal: controller.signal }));
    controller.abort(new Error('enough'));
    await expect(turn).rejects.toThrow('enough');
    input.write('right\n');
    expect(await agent.act(corridorContext(3))).toMatchObject({ action: 1 });
    await agent.close!();
  });
});

it.each([
  ['go to c', ['go to cabinet 1', 'go to cabinet 12']],
  ['GO TO DRAWER', ['go to drawer 1']],
  ['cabinet 12', ['go to cabinet 12']],
  ['drawer go', ['go to drawer 1']],
  ['fly', []],
  ['', ['go to cabinet 1', 'go to cabinet 12', 'go to drawer 1', ':quit']],
])('completes "%s" to %j', (line, expected) => {
  expect(completions(line, ['go to cabinet 1', 'go to cabinet 12', 'go to drawer 1', ':quit'])).toEqual(expected);
});

describe('ansiPicture', () => {
  const picture = (channels: 1 | 3, ...data: number[]) =>
    ({ data: Uint8Array.from(data), height: 2, width: data.length / 2 / channels, channels }) as const;

  it('shows two rows of pixels per line of text', () => {
    const text = ansiPicture(picture(3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
    expect(text).toBe('\x1b[38;2;1;2;3m\x1b[48;2;7;8;9m▀\x1b[38;2;4;5;6m\x1b[48;2;10;11;12m▀\x1b[0m\n');
  });

  it('averages the pixels of a character cell, also in gray', () => {
    expect(ansiPicture(picture(1, 0, 100, 20, 40), 1)).toBe('\x1b[38;2;50;50;50m\x1b[48;2;30;30;30m▀\x1b[0m\n');
  });
});

describe('near misses', () => {
  it('suggests the action that was meant, and asks again', async () => {
    const { agent, shown } = terminal('rihgt', 'right');
    expect(await agent.act(corridorContext(3))).toMatchObject({ action: 1 });
    expect(shown()).toContain('Unknown action "rihgt". Did you mean "right"?');
  });

  it('performs an action outside of the list that is typed twice, where the space has it', async () => {
    const { agent, shown } = terminal('click[by now]', 'click[by now]');
    const context = corridorContext(3);
    Object.assign(context.env, {
      actionSpace: spaces.text({ maxLength: 100 }),
      dialogue: { choices: () => ['click[buy now]', 'click[< prev]'] },
    });
    expect(await agent.act(context)).toMatchObject({ action: 'click[by now]' });
    expect(shown()).toContain('Did you mean "click[buy now]"?');
  });

  it.each([
    ['buy now', 'click[buy now]'],
    ['click[buy now]', undefined],
    ['CLICK[BUY NOW]', undefined],
    ['search[red lamps for the hall]', undefined],
    ['', undefined],
  ])('takes "%s" for %s', (line, expected) => {
    expect(nearMiss(line, ['click[buy now]', 'click[back to search]', 'click[< prev]'])).toBe(expected);
  });
});

describe('a running game', () => {
  const past = (...rewards: number[]) =>
    rewards.map((reward) => ({ observation: undefined as never, text: '', action: 0, reward }));

  it('states the step, its reward and the score so far', async () => {
    const { agent, shown } = terminal('right');
    await agent.act(corridorContext(3, { stepIndex: 2, history: past(4, -1) }));
    expect(shown()).toMatch(/^Step 2(?: of \d+)?\. Reward -1, score 3\.\n/);
  });

  it('answers a command that does not exist with those that do', async () => {
    const { agent, shown } = terminal(':undo', 'right');
    await agent.act(corridorContext(3));
    expect(shown()).toContain('Unknown command ":undo". Commands: :help, :hint, :quit.');
  });

  it('takes a step back where the caller offers it, and none before the first', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    input.write(':undo\nright\n:undo\n');
    const agent = humanAgent({ input, output, undo: true });
    expect(await agent.act(corridorContext(3))).toMatchObject({ action: 1 });
    expect(String(output.read())).toContain('No step was taken yet.');
    const next = await agent.act(corridorContext(3, { stepIndex: 1, history: past(0) }));
    expect(next).toMatchObject({ error: { code: 'HUMAN_UNDO' } });
  });

  it('says why an action would be in vain before it costs a step; typed twice, it is done', async () => {
    const { agent, shown } = terminal('left', 'left');
    const context = corridorContext(3);
    Object.assign(context.env, {
      describeRefusal: (action: number) => (action === 0 ? 'A wall is there.' : undefined),
    });
    expect(await agent.act(context)).toMatchObject({ action: 0 });
    expect(shown()).toContain('A wall is there. To do it anyway, type it again.');
  });

  it('uses the mask of an environment that gives no reasons', async () => {
    const { agent, shown } = terminal('left', 'right');
    const context = corridorContext(3);
    Object.assign(context.env, { actionMask: () => Uint8Array.of(0, 1) });
    expect(await agent.act(context)).toMatchObject({ action: 1 });
    expect(shown()).toContain('"left" is not possible now.');
  });
});

describe('text of a terminal', () => {
  it('breaks long lines between words, keeps indents, and leaves pictures alone', () => {
    expect(wrapped('one two three four', 9)).toBe('one two\nthree\nfour');
    expect(wrapped('  one two three', 9)).toBe('  one two\n  three');
    expect(wrapped('short\n\u001b[0m a long line of a picture', 9)).toBe('short\n\u001b[0m a long line of a picture');
    expect(wrapped('a-word-that-is-too-long', 9)).toBe('a-word-that-is-too-long');
  });

  it('lists choices in columns that fit the width', () => {
    expect(choiceTable(['a', 'b', 'c', 'd', 'e'], 12)).toBe('  a  c  e\n  b  d');
    const lines = choiceTable(
      Array.from({ length: 40 }, (_, index) => `go to cabinet ${index}`),
      80,
    ).split('\n');
    expect(lines.length).toBe(10);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
    expect(choiceTable(['x', 'a choice that is long'], 20)).toBe('  x\n  a choice that is\n  long');
  });
});
