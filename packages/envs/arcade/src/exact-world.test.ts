/** Time passes in steps only, chance comes from the seed, and a hostile page reaches nothing. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { gameOf, hasChromium, keepBrowser, LIMIT } from '../test-support/games.js';
import { ArcadeEnv, type ArcadeInfo, type ArcadeOptions } from './index.js';

vi.setConfig({ testTimeout: LIMIT, hookTimeout: LIMIT });
keepBrowser();

/** The words of a script after some steps. */
async function said(script: string, steps = 2, options: ArcadeOptions & { seed?: number; pause?: number } = {}) {
  const { seed = 0, pause = 0, ...given } = options;
  const env = new ArcadeEnv(gameOf(script), given);
  try {
    let { info }: { info: ArcadeInfo } = await env.reset({ seed });
    for (let step = 0; step < steps; step += 1) {
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
      ({ info } = await env.step(0));
    }
    return { said: JSON.parse(info.state!) as unknown[], info };
  } finally {
    await env.close();
  }
}

describe.skipIf(!hasChromium)('the clock', () => {
  it('is one for dates, performance, timers, frames and events, and stands still between steps', async () => {
    const script = `
      const say = (what) => game.said.push([what, Math.round(performance.now()), Date.now() - 1767225600000, new Date().getTime() === Date.now()]);
      say('start');
      setTimeout(() => say('timer'), 40);
      const every = setInterval(() => { say('interval'); if (game.said.length > 5) clearInterval(every); }, 30);
      requestAnimationFrame((now) => { if (now !== performance.now()) say('wrong'); say('frame'); });`;
    const expected = [
      ['start', 0, 0, true],
      ['frame', 17, 16, true],
      ['interval', 30, 30, true],
      ['timer', 40, 40, true],
      ['interval', 60, 60, true],
      ['interval', 90, 90, true],
    ];
    expect((await said(script, 2, { pause: 100 })).said).toEqual(expected);
    expect((await said(script, 4, { framesPerStep: 3 })).said).toEqual(expected);
  });

  it('runs promises between callbacks, nested timers like browsers, messages as tasks', async () => {
    const { said: order } = await said(
      `
      const say = (what) => game.said.push(what);
      setTimeout(() => { say('a'); Promise.resolve().then(() => say('a, promise')); queueMicrotask(() => say('a, microtask')); }, 1);
      setTimeout(() => say('b'), 1);
      const { port1, port2 } = new MessageChannel();
      port2.onmessage = ({ data }) => say(data);
      port1.postMessage('port');
      let nested = 0;
      setTimeout(function again() { nested += 1; if (nested === 8) say('8 at ' + performance.now()); else setTimeout(again, 0); }, 0);
      (async () => { for (let i = 0; i < 3; i++) await new Promise((done) => setTimeout(done, 100)); say('awaited at ' + performance.now()); })();`,
      4,
    );
    expect(order).toEqual(['a', 'a, promise', 'a, microtask', 'b', 'port', '8 at 17', 'awaited at 300']);
  });

  it('is the only one: no way of asking tells the real time', async () => {
    const { said: values } = await said(
      `
      const dates = [Date.now(), new Date().getTime(), Date.parse(Date()), new (Object.getPrototypeOf(Date).constructor === Function ? Date : Object.getPrototypeOf(Date))().getTime(),
        new (new Date(0).constructor)().getTime(), performance.timeOrigin, Date.parse(document.lastModified + ' UTC'), new File([], 'a').lastModified,
        Date.parse(new Intl.DateTimeFormat('en-US').format() + ' UTC')];
      game.said.push(...dates.map((date) => new Date(date).toISOString().slice(0, 13)), new Event('a').timeStamp, document.timeline.currentTime,
        new Date().getTimezoneOffset(), typeof performance.mark('a'), typeof Temporal);`,
      0,
    );
    expect(values).toEqual([...Array(9).fill('2026-01-01T00'), 0, 0, 0, 'undefined', 'undefined']);
  });

  it('waits for pictures, which are there a frame later on every machine', async () => {
    const pixel = 'data:image/gif;base64,R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=';
    const { said: widths } = await said(
      `
      setTimeout(() => {
        const image = new Image();
        image.onload = () => game.said.push('loaded at ' + performance.now());
        image.src = '${pixel}';
        setTimeout(() => game.said.push(image.complete && image.naturalWidth), 1);
      }, 20);`,
      1,
    );
    expect(widths).toEqual(['loaded at 20', 1]);
  });
});

describe.skipIf(!hasChromium)('chance', () => {
  const script = `
    game.said.push(Math.random(), ...crypto.getRandomValues(new Uint16Array(3)), crypto.randomUUID());`;

  it('comes from the seed', async () => {
    const [one, again, other] = [await said(script, 0), await said(script, 0), await said(script, 0, { seed: 1 })];
    expect(again.said).toEqual(one.said);
    expect(other.said).not.toEqual(one.said);
    expect(one.said[4]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('is uniform', async () => {
    const counts = `const bins = Array(10).fill(0);
      for (let i = 0; i < 100000; i++) bins[Math.floor(10 * Math.random())] += 1;
      game.said.push(bins.reduce((sum, count) => sum + (count - 10000) ** 2 / 10000, 0));`;
    const [chiSquare] = (await said(counts, 0)).said;
    expect(chiSquare).toBeLessThan(27.9); // 9 degrees of freedom, p = 0.001
  });

  it('does not carry over: an episode finds nothing that an earlier one has kept', async () => {
    const env = new ArcadeEnv(
      gameOf(`game.said.push(localStorage.getItem('best'), document.cookie, typeof indexedDB, window.name);
      localStorage.setItem('best', '7');
      document.cookie = 'best=7';
      window.name = 'best 7';
      game.said.push(localStorage.getItem('best'));`),
    );
    for (const seed of [0, 1]) {
      const { info } = await env.reset({ seed });
      expect(JSON.parse(info.state!)).toEqual([null, '', 'undefined', '', '7']);
    }
    await env.close();
  });
});

describe.skipIf(!hasChromium)('a hostile page', () => {
  let server: Server;
  let hits = 0;
  let address = '';
  beforeAll(async () => {
    server = createServer((_, response) => {
      hits += 1;
      response.setHeader('access-control-allow-origin', '*');
      response.end('secret');
    });
    server.on('upgrade', (_, socket) => {
      hits += 1;
      socket.destroy();
    });
    server.on('connection', () => {
      hits += 1;
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  it('reaches neither the network nor files', async () => {
    const { said: found, info } = await said(
      `
      const say = (what) => (value) => game.said.push([what, String(value).slice(0, 80)]);
      const http = 'http://${address}/', file = 'file:///etc/passwd';
      for (const url of [http, file, 'http://example.com/', 'chrome://version/', '/other.txt', 'http://arcade.invalid/index.html']) {
        fetch(url).then((answer) => answer.text()).then(say('fetch ' + url), () => undefined);
        const image = new Image();
        image.onload = () => say('image')(url);
        image.src = url;
        for (const [tag, key] of [['script', 'src'], ['link', 'href'], ['video', 'src'], ['object', 'data'], ['embed', 'src']]) {
          const node = document.createElement(tag);
          if (tag === 'link') node.rel = 'stylesheet';
          node.onload = () => say(tag)(url);
          node[key] = url;
          if (tag !== 'object' && tag !== 'embed') document.body.append(node);
        }
        import(url).then(say('import'), () => undefined);
      }
      for (const rel of ['preconnect', 'dns-prefetch', 'prefetch', 'preload', 'modulepreload', 'prerender', 'icon', 'manifest']) {
        const link = document.createElement('link');
        Object.assign(link, { rel, href: http, as: 'image' });
        document.head.append(link);
      }
      const css = document.createElement('style');
      css.textContent = '@import "' + http + '"; body { background: url(' + http + ') }';
      document.head.append(css);
      for (const name of ['WebSocket', 'EventSource', 'Worker', 'SharedWorker', 'RTCPeerConnection', 'WebTransport', 'XMLHttpRequest', 'indexedDB', 'showOpenFilePicker'])
        if (globalThis[name] !== undefined) say('has')(name);
      try { navigator.sendBeacon(http, 'x'); } catch {}
      try { const form = document.createElement('form'); form.action = http; document.body.append(form); form.submit(); } catch {}
      setTimeout(() => { location.href = http; }, 20);
      setTimeout(() => { location.assign(file); }, 40);
      setTimeout(() => { window.open(http); const a = document.createElement('a'); a.href = http; a.target = '_blank'; document.body.append(a); a.click(); }, 60);
      setTimeout(() => { const a = document.createElement('a'); a.href = 'data:text/plain,x'; a.download = 'x'; document.body.append(a); a.click(); }, 80);`,
      4,
      { pause: 100 },
    );
    expect(found).toEqual([]);
    expect(hits).toBe(0);
    expect(info.lost).toBeUndefined();
    expect(info.blockedRequests).toBeGreaterThan(0);
  });

  it('reaches nothing of the process that plays it, and cannot name what steps it', async () => {
    const { said: found } = await said(
      `
      game.said.push(...['require', 'process', 'module', 'Buffer', 'global', '__dirname', 'Deno', 'Bun', 'chrome'].filter((name) => globalThis[name] !== undefined));
      game.said.push(window.parent === window, window.top === window, window.opener, Object.getOwnPropertyNames(window).filter((name) => /vlgym|arcade|puppeteer|^_/i.test(name)).length);`,
      0,
    );
    expect(found).toEqual([true, true, null, 0]);
  });

  it.each<[what: string, script: string, says: RegExp]>([
    ['never answers', 'setTimeout(() => { for (;;); }, 50);', /did not answer within 8000 ms/],
    [
      'opens a frame',
      "setTimeout(() => document.body.append(document.createElement('iframe')), 50);",
      /it opened a frame/,
    ],
    ['removes its canvas', "setTimeout(() => document.querySelector('canvas').remove(), 50);", /no canvas/],
    [
      'lies about its state',
      'setTimeout(() => { JSON.stringify = () => 7; Array.prototype.push = () => 1e9; btoa = () => "x"; }, 50);',
      /^$/,
    ],
  ])('that %s loses its own episode at most', async (_, script, says) => {
    const [bad, good] = [new ArcadeEnv(gameOf(script), { timeout: 8000 }), new ArcadeEnv(gameOf(''))];
    await bad.reset({ seed: 0 });
    await good.reset({ seed: 0 });
    const { reward, truncated, info } = await bad.step(0);
    expect(info.lost ?? '').toMatch(says);
    expect({ reward, truncated }).toEqual({ reward: 0, truncated: info.lost !== undefined });
    expect((await good.step(0)).truncated).toBe(false);
    expect((await bad.reset({ seed: 0 })).info.lost).toBeUndefined();
    await Promise.all([bad.close(), good.close()]);
  });

  it('whose score turns into words never has a reward', async () => {
    const env = new ArcadeEnv(gameOf("setTimeout(() => { game.score = 'lots'; }, 50);"));
    await env.reset({ seed: 0 });
    await expect(env.step(0)).rejects.toMatchObject({ code: 'GAME_INVALID' });
    await env.close();
  });
});
