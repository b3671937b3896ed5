import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from './find-chromium.js';
import { SiteEnv, type SiteLook } from './site-env.js';

const chromium = (() => {
  try {
    return findChromium();
  } catch {
    return undefined;
  }
})();

/** A small site: a note to write, a page that fetches what it shows, a cookie, links that lead out. */
const PAGES: Readonly<Record<string, string>> = {
  '/': `<h1>Notes</h1><style>.x { color: red }</style><p hidden>secret</p>
    <form action="/written"><label>Note <input name="note"></label><label><input type="checkbox" name="loud"> Loud</label>
    <select name="kind"><option>short</option></select><button>Write it</button></form>
    <a href="/later" target="_blank">Later</a> <a href="http://elsewhere.invalid/">Leave</a><p id="cookie"></p>
    <script>document.getElementById('cookie').textContent = document.cookie || 'no cookie'; document.cookie = 'been=here'</script>`,
  '/written': '<p>Written.</p>',
  '/later': `<p id="out">waiting</p><script>
    fetch('/answer').then((r) => r.text()).then((first) => fetch('/answer').then((r) => r.text()).then((second) => {
      document.getElementById('out').textContent = first + ' ' + second;
    }));</script>`,
  '/answer': 'forty-two',
};

it.each([
  [[], {}],
  [[{ instruction: '', start: 'file:///etc/passwd', judge: () => ({ reward: 0, done: false }) }], {}],
  [[{ instruction: '', start: 'http://localhost/', judge: () => ({ reward: 0, done: false }) }], { patience: 0 }],
])('refuses tasks and options that cannot be', (tasks, options) => {
  expect(() => new SiteEnv(tasks, options)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
});

describe.skipIf(!chromium)(`another site${chromium ? '' : ' (skipped: no Chromium was found)'}`, () => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const [path = '/'] = request.url!.split('?');
    seen.push(request.url!);
    response.writeHead(PAGES[path] === undefined ? 404 : 200, { 'content-type': 'text/html' });
    response.end(PAGES[path] ?? 'nothing here');
  });
  let start = '';
  let env: SiteEnv;
  const looks: SiteLook[] = [];
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    start = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const judge = (look: SiteLook) => {
      looks.push(look);
      const done = look.observation.text === 'Written.';
      return { reward: done || look.answer === 'forty-two' ? 1 : 0, done };
    };
    env = new SiteEnv([{ instruction: 'Write a note.', start, judge }], { screenshot: false, warm: true });
  });
  afterAll(async () => {
    await env.close();
    server.close();
  });

  it('shows visible text and what can be clicked or filled in', async () => {
    const { observation, info } = await env.reset({ seed: 1 });
    expect(info).toEqual({ instruction: 'Write a note.', task: 0, blockedRequests: 0 });
    expect(observation.text).toBe('Notes [SEP] Note [SEP] Loud [SEP] Write it [SEP] Later [SEP] Leave [SEP] no cookie');
    expect(observation.elements.map(({ role, name }) => `${role} ${name.trim()}`)).toEqual([
      'textbox Note',
      'checkbox Loud',
      'combobox short',
      'button Write it',
      'link Later',
      'link Leave',
    ]);
    expect(env.observationSpace.contains(observation)).toBe(true);
  });

  it('asks the judge after every action, and ends where it says so', async () => {
    await env.reset();
    await env.step('mark[1]');
    await env.step('type[Buy Milk & more]');
    const last = await env.step('click[write it]');
    expect(last).toMatchObject({ reward: 1, terminated: true, info: { actionValid: true, actionEffective: true } });
    expect(seen.at(-1)).toBe('/written?note=Buy+Milk+%26+more&kind=short');
    expect(looks.slice(-3).map(({ action, steps }) => [action, steps])).toEqual([
      ['mark[1]', 1],
      ['type[Buy Milk & more]', 2],
      ['click[write it]', 3],
    ]);
    await expect(env.step('back')).rejects.toMatchObject({ code: 'EPISODE_OVER' });
  });

  it('waits for what a page fetches, and takes an answer', async () => {
    await env.reset();
    const { observation } = await env.step('click[Later]');
    expect([observation.url, observation.text]).toEqual([`${start}later`, 'forty-two forty-two']);
    expect(await env.step('stop[forty-two]')).toMatchObject({ reward: 1, terminated: true });
    expect(looks.at(-1)!.answer).toBe('forty-two');
  });

  it('begins every episode without the cookies of the one before', async () => {
    for (let episode = 0; episode < 3; episode += 1) {
      expect((await env.reset()).observation.text).toContain('no cookie');
      await env.step('goto[/later]');
      expect((await env.step('back')).observation.text).toContain('been=here');
    }
  });

  it('stays where it is allowed, and counts the attempts', async () => {
    await env.reset();
    const left = await env.step('click[leave]');
    expect(left).toMatchObject({ observation: { url: start }, info: { blockedRequests: 1, actionEffective: false } });
    const gone = await env.step('goto[http://elsewhere.invalid/]');
    expect(gone.info).toMatchObject({ actionValid: false, reason: 'this address is not allowed' });
    expect((await env.step('click[no such thing]')).info.actionValid).toBe(false);
  });

  it('says where a site does not answer', async () => {
    const judge = () => ({ reward: 0, done: false });
    const nowhere = new SiteEnv([{ instruction: '', start: 'http://127.0.0.1:9/', judge }]);
    await expect(nowhere.reset()).rejects.toMatchObject({ code: 'SITE_UNREACHABLE', value: 'http://127.0.0.1:9/' });
    await nowhere.close();
  });

  it('cuts an episode whose page is closed', async () => {
    await env.reset();
    await env.page!.close();
    expect(await env.step('scroll[1]')).toMatchObject({
      truncated: true,
      reward: 0,
      info: { lost: expect.any(String) },
    });
    expect((await env.reset()).observation.text).toContain('Notes');
  });
});
