/** The environment on pages of our own: seeds, the clock, rewards, ends, snapshots, and pages that are missing or broken. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkEnv, hashImage, messageText, readResponse } from '@vlgym/core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hasChromium, LIMIT, writePages } from '../../test-support/pages.js';
import { MiniWoBEnv } from './miniwob-env.js';
import type { MiniWoBOptions } from './options.js';

vi.setConfig({ testTimeout: LIMIT, hookTimeout: LIMIT });

describe.skipIf(!hasChromium)('on pages of our own', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'vlgym-miniwob-'));
    writePages(folder);
    vi.stubEnv('VLGYM_MINIWOB_HTML', folder);
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });

  const playing = async (options: MiniWoBOptions, play: (env: MiniWoBEnv) => Promise<void>) => {
    const env = new MiniWoBEnv(options);
    try {
      await play(env);
    } finally {
      await env.close();
    }
  };

  it('a seed is a page: texts, elements and pictures repeat, also after another task', () =>
    playing({}, async (env) => {
      const look = async (task: string, pageSeed: number) => {
        const { observation, info } = await env.reset({ options: { task, pageSeed } });
        return [info.instruction, info.taskKey, observation.accessibility, hashImage(observation.screenshot)];
      };
      const first = await look('click-button', 3);
      const other = await look('enter-text', 3);
      expect(await look('click-button', 3)).toEqual(first);
      expect(await look('click-button', 4)).not.toEqual(first);
      expect(await look('enter-text', 9)).toEqual(other);
    }));

  it('the expert’s click gains 1 without a limit; after the end nothing is seen', () =>
    playing({ task: 'click-button' }, async (env) => {
      const { observation, info } = await env.reset({ seed: 5 });
      expect(info).toMatchObject({ task: 'click-button', pageSeed: 5, timeLimit: 10, blockedRequests: 0 });
      expect(observation.utterance).toBe(info.instruction);
      const wrong = observation.elements.find(({ name }) => !info.instruction.includes(`"${name}"`))!;
      const end = await env.step(env.oracle()!);
      expect(end).toMatchObject({ reward: 1, terminated: true, info: { success: true, rawReward: 1 } });
      expect(end.observation).toMatchObject({ text: '', accessibility: '', elements: [], utterance: '' });
      expect(end.observation.screenshot.data.every((value) => value === 0)).toBe(true);
      await env.reset({ seed: 5 });
      expect(await env.step(`click('${wrong.mark}')`)).toMatchObject({ reward: -1, info: { success: false } });
    }));

  it('with the original’s reward, each action costs a tenth of a second, a pause its own time', () =>
    playing({ task: 'enter-text', reward: 'original' }, async (env) => {
      await env.reset({ seed: 1 });
      await env.step('noop(1900)');
      await env.step(env.oracle()!);
      const { reward, info } = await env.step(env.oracle()!);
      expect(reward).toBeCloseTo(1 - 2000 / 10_000, 10); // the click ends the episode before its own tenth
      expect(info).toMatchObject({ rawReward: 1, success: true });
      await env.reset({ seed: 1 });
      const late = await env.step('noop(10000)');
      expect(late).toMatchObject({ reward: -1, terminated: true, info: { endReason: 'timed out', success: false } });
    }));

  it('a partial reward does not count as success', () =>
    playing({ task: 'enter-text' }, async (env) => {
      const { observation } = await env.reset({ seed: 1 });
      const submit = observation.elements.find(({ name }) => name === 'Submit')!;
      expect(await env.step(`click('${submit.mark}')`)).toMatchObject({ reward: 0.5, info: { success: false } });
    }));

  it('the page’s clock stands between actions', () =>
    playing({ task: 'terminal' }, async (env) => {
      await env.reset({ seed: 1 });
      const shown = async (action: string) => (await env.step(action)).observation.text;
      expect(await shown('noop(250)')).toBe('Wait. [SEP] 1 2026-01-01T00:00:00.350Z');
      expect(await shown('noop(1000)')).toContain('5 2026-01-01T00:00:01.350Z');
      expect(await shown('mouse_move(5, 5)\nmouse_move(6, 6)\nmouse_move(7, 7)')).toContain('6 2026');
    }));

  it.each(["goto('/miniwob/enter-text.html')", 'reload()'])('%s ends the episode without reward', (action) =>
    playing({ task: 'click-button' }, async (env) => {
      await env.reset({ seed: 1 });
      const left = await env.step(action);
      expect(left).toMatchObject({ reward: 0, terminated: true, info: { success: false } });
    }),
  );

  it('a snapshot plays the episode again', () =>
    playing({ task: 'terminal' }, async (env) => {
      await env.reset({ seed: 1 });
      await env.step('noop(400)');
      const snapshot = JSON.parse(JSON.stringify(env.snapshot()));
      const next = await env.step('noop(300)');
      await env.restore(snapshot);
      const again = await env.step('noop(300)');
      expect(again.observation.text).toBe(next.observation.text);
      const damaged = { ...snapshot, state: { ...snapshot.state, played: { ...snapshot.state.played, digest: 'x' } } };
      await expect(env.restore(damaged)).rejects.toMatchObject({ code: 'SNAPSHOT_MISMATCH' });
    }));

  it('the split keeps contents apart, and says when there is none', () =>
    playing({ task: 'click-button', split: 'train' }, async (env) => {
      const keys = new Set<unknown>();
      for (let seed = 0; seed < 4; seed += 1) keys.add((await env.reset({ seed })).info.taskKey);
      await playing({ task: 'click-button', split: 'test' }, async (test) => {
        expect(keys).not.toContain((await test.reset({ seed: 0 })).info.taskKey);
      });
    }));

  it('prompts show what the option says, and answers are read', () =>
    playing({ task: 'click-button', observation: 'text', dialogue: 'json-v1' }, async (env) => {
      const { observation, info } = await env.reset({ seed: 1 });
      const context = { observation, info, history: [] };
      const [message] = env.dialogue.prompt(context);
      expect(messageText(message!)).toContain(`Task: ${info.instruction}`);
      expect(messageText(message!)).toMatch(/\[1\] button "\w+"/);
      expect(typeof message!.content).toBe('string');
      const said = env.dialogue.demonstrate!(context, env.oracle()!);
      expect(env.dialogue.parse(said, context)).toMatchObject({ action: env.oracle(), legal: true, formatValid: true });
      expect(env.dialogue.parse('{"thoughts": "", "action": "jump()"}')).toMatchObject({ legal: false });
      const [, wrong] = observation.elements;
      expect(readResponse(env.dialogue, said, context).thoughtCorrect).toBe(true);
      expect(env.dialogue.check!(`Element 1 is button "${wrong!.name}".`, info)).toBe(false);
      expect(env.dialogue.check!('I click.', info)).toBe(undefined);
    }));

  it.each([
    ['click-test', 'MINIWOB_PAGE_FAILED', /does not become ready/],
    ['login-user', 'MINIWOB_PAGES_MISSING', /has no miniwob\/login-user\.html/],
  ])('%s, whose page is broken or missing, is an error', (task, code, message) =>
    playing({ task }, async (env) => {
      await expect(env.reset({ seed: 1 })).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    }),
  );

  it('meets the contract of every environment', async () => {
    const report = await checkEnv(() => new MiniWoBEnv({ task: 'click-button' }), { steps: 3 });
    expect(report.findings).toEqual([]);
  });
});

it('without pages, says the command that fetches them', async () => {
  vi.stubEnv('VLGYM_MINIWOB_HTML', '/nowhere');
  const env = new MiniWoBEnv();
  await expect(env.reset({ seed: 1 })).rejects.toMatchObject({
    code: 'MINIWOB_PAGES_MISSING',
    hint: expect.stringContaining('npx vlgym miniwob setup'),
  });
  await env.close();
  vi.unstubAllEnvs();
});

it('refuses a level at which there is nothing', () => {
  expect(() => new MiniWoBEnv({ kind: 'draw', level: 1 })).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
});
