import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { messageText } from '@vlgym/core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CHROMIUM, NEEDS_CHROMIUM } from '../../test-support/chromium.js';
import { SiteEnv } from './site-env.js';
import type { SiteLook } from './site-task.js';

/** A small site: a form, a page that fetches its contents, a cookie, external links. */
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
  '/busy': `<p id="out">waiting</p><script>
    fetch('/answer').then((r) => r.text()).then((first) => {
      for (const end = performance.now() + 300; performance.now() < end; );
      fetch('/late-answer').then((r) => r.text()).then((second) => {
        document.getElementById('out').textContent = first + ' ' + second;
      });
    });</script>`,
  '/answer': 'forty-two',
  '/late-answer': 'forty-three',
};

/** Ways in which a page may try to reach a server that no task allows. */
const ATTEMPTS: Readonly<Record<string, (place: string) => string>> = {
  fetch: (place) => `void fetch('http://${place}/').catch(() => 0)`,
  'web socket': (place) => `void new WebSocket('ws://${place}/')`,
  worker: (place) => `void new Worker('/worker?${place}')`,
  'shared worker': (place) => `void new SharedWorker('/worker?${place}')`,
  'service worker': (place) => `void navigator.serviceWorker.register('/worker?${place}')`,
  'event source': (place) => `void new EventSource('http://${place}/')`,
  beacon: (place) => `void navigator.sendBeacon('http://${place}/')`,
  'TCP of WebRTC': (
    place,
  ) => `const c = new RTCPeerConnection({ iceServers: [{ urls: 'turn:${place}?transport=tcp', username: 'a', credential: 'b' }] });
    c.createDataChannel('x'); void c.createOffer().then((offer) => c.setLocalDescription(offer))`,
};

it.each([
  [[], {}],
  [undefined as never, {}],
  [[null as never], {}],
  [[{ instruction: '', start: 'http://localhost/' } as never], {}],
  [[{ instruction: '', start: 'file:///etc/passwd', judge: () => ({ reward: 0, done: false }) }], {}],
  [[{ instruction: '', start: 'http://localhost/', judge: () => ({ reward: 0, done: false }) }], { patience: 0 }],
])('refuses invalid tasks and options', (tasks, options) => {
  expect(() => new SiteEnv(tasks, options)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
});

describe.skipIf(!CHROMIUM)(`another site${NEEDS_CHROMIUM}`, () => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const [path = '/'] = request.url!.split('?');
    seen.push(request.url!);
    if (path === '/worker') {
      response.writeHead(200, { 'content-type': 'text/javascript' });
      response.end(`fetch('http://' + location.search.slice(1) + '/').catch(() => 0)`);
      return;
    }
    response.writeHead(PAGES[path] === undefined ? 404 : 200, { 'content-type': 'text/html' });
    const answer = () => response.end(PAGES[path] ?? 'nothing here');
    if (path === '/late-answer') setTimeout(answer, 300);
    else answer();
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
    const options = { screenshot: false, warm: true, timeout: 60_000, patience: 30_000 };
    env = new SiteEnv([{ instruction: 'Write a note.', start, judge }], options);
  });
  afterAll(async () => {
    await env.close();
    server.close();
  });

  it('shows visible text and elements that can be clicked or filled in', async () => {
    const { observation, info } = await env.reset({ seed: 1 });
    const taskKey = `site:${start} Write a note.`;
    expect(info).toEqual({ instruction: 'Write a note.', task: 0, taskKey, blockedRequests: 0 });
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

  it('calls the judge after every action, and ends when it says so', async () => {
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

  it('waits for requests of a page, and accepts an answer', async () => {
    await env.reset();
    const { observation } = await env.step('click[Later]');
    expect([observation.url, observation.text]).toEqual([`${start}later`, 'forty-two forty-two']);
    expect(await env.step('stop[forty-two]')).toMatchObject({ reward: 1, terminated: true });
    expect(looks.at(-1)!.answer).toBe('forty-two');
  });

  it('waits for the request that a busy page makes of an answer, long after the network was idle', async () => {
    await env.reset();
    expect((await env.step('goto[/busy]')).observation.text).toBe('forty-two forty-three');
  });

  it('starts every episode without the cookies of the one before', async () => {
    for (let episode = 0; episode < 3; episode += 1) {
      expect((await env.reset()).observation.text).toContain('no cookie');
      await env.step('goto[/later]');
      expect((await env.step('back')).observation.text).toContain('been=here');
    }
  });

  it('stays on allowed origins and counts attempts to leave', async () => {
    await env.reset();
    const left = await env.step('click[leave]');
    expect(left).toMatchObject({ observation: { url: start }, info: { blockedRequests: 1, actionEffective: false } });
    const gone = await env.step('goto[http://elsewhere.invalid/]');
    expect(gone.info).toMatchObject({ actionValid: false, reason: 'this address is not allowed' });
    expect((await env.step('click[no such thing]')).info.actionValid).toBe(false);
  });

  it('never reaches a server that no task allows, and counts each attempt', async () => {
    const reached: string[] = [];
    const other = createNetServer((socket) => {
      reached.push(socket.remoteAddress!);
      socket.destroy();
    });
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const place = `127.0.0.1:${(other.address() as AddressInfo).port}`;
    // Chromium never finishes a blocked request of a worker, so patience is short.
    const judge = () => ({ reward: 0, done: false });
    const site = new SiteEnv([{ instruction: '', start, judge }], { screenshot: false, patience: 100 });
    await site.reset();
    for (const [what, attempt] of Object.entries(ATTEMPTS)) {
      const before = (await site.step('scroll[0]')).info.blockedRequests;
      await site.page!.evaluate(attempt(place));
      // Workers send requests asynchronously.
      const counted = async () => {
        const { blockedRequests } = (await site.step('scroll[0]')).info;
        expect([what, blockedRequests > before]).toEqual([what, true]);
      };
      await vi.waitFor(counted, { timeout: 20_000 });
    }
    expect(reached).toEqual([]);
    await site.close();
    other.close();
  }, 120_000);

  it('allows web sockets to the site itself', async () => {
    const upgraded = once(server, 'upgrade');
    await env.reset();
    await env.page!.evaluate(`void new WebSocket('${start.replace('http', 'ws')}socket')`);
    const [request, socket] = (await upgraded) as [{ url: string }, { destroy(): void }];
    expect(request.url).toBe('/socket');
    socket.destroy();
  });

  it('performs the actions of a model', async () => {
    let { observation, info } = await env.reset();
    const said = ['click[later]', 'back', 'mark[1]', 'type[Tea [green]]', 'click[write it]'];
    for (const action of said) {
      const context = { observation, info, history: [] };
      expect(messageText(env.dialogue.prompt(context)[0]!)).toContain('Write a note.');
      const parsed = env.dialogue.parse(env.dialogue.demonstrate!(context, action), context);
      expect(parsed).toMatchObject({ action, legal: true });
      ({ observation, info } = await env.step(parsed.action!));
      expect([action, info.actionValid]).toEqual([action, true]);
    }
    expect([observation.text, seen.at(-1)]).toEqual(['Written.', '/written?note=Tea+%5Bgreen%5D&kind=short']);
  });

  it('reports an unreachable site with its address', async () => {
    const judge = () => ({ reward: 0, done: false });
    const nowhere = new SiteEnv([{ instruction: '', start: 'http://127.0.0.1:9/', judge }]);
    await expect(nowhere.reset()).rejects.toMatchObject({ code: 'SITE_UNREACHABLE', value: 'http://127.0.0.1:9/' });
    await nowhere.close();
  });

  it('truncates an episode whose page is closed', async () => {
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
