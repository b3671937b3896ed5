/** The rules of admission: only our own page, with the token of the address, and nothing outside of the folders. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRun } from '../../test-support/make-run.js';
import { type Viewing, view } from '../view.js';

const home = mkdtempSync(join(tmpdir(), 'vlgym-view-'));
let viewing: Viewing;
beforeAll(async () => {
  await makeRun(join(home, 'run'), { seeds: [0, 1], recorded: [5] });
  viewing = await view({ folders: [home] });
});
afterAll(async () => {
  await viewing.close();
  rmSync(home, { recursive: true });
});

interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

/** With headers that `fetch` would not send. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET', body?: string): Promise<Answer> {
  const url = new URL(path, viewing.address);
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, body: text }));
    });
    asked.on('error', reject).end(body);
  });
}
const runs = async () => (JSON.parse((await ask('runs')).body) as { runs: { id: string; name: string }[] }).runs;

it.each([
  ['without the token', '/', {}, 403],
  ['with another token', `/${'x'.repeat(24)}/runs`, {}, 403],
  ['for another host', 'runs', { host: 'evil.example' }, 403],
  ['from another origin', 'runs', { origin: 'http://evil.example' }, 403],
  ['from another site', 'runs', { 'sec-fetch-site': 'cross-site' }, 403],
  ['for a path that is not there', 'runs/none/details', {}, 404],
  ['for a set of episodes that cannot be', 'runs/none/episodes?set=../..', {}, 404],
  ['for the page', '', {}, 200],
])('a request %s is answered as it should be', async (_, path, headers, status) => {
  expect((await ask(path, headers)).status).toBe(status);
});

it('orders come from our page only, as JSON', async () => {
  const [run] = await runs();
  const path = `runs/${run!.id}/verify`;
  const { origin } = new URL(viewing.address);
  const json = { 'content-type': 'application/json' };
  expect((await ask(path, json, 'POST', '{}')).status).toBe(403);
  expect((await ask(path, { origin, 'content-type': 'text/plain' }, 'POST', '{}')).status).toBe(415);
  expect((await ask(path, { origin, ...json }, 'POST', 'nonsense')).status).toBe(400);
  expect((await ask(path, { origin, ...json }, 'POST', '{"id":"none"}')).status).toBe(404);
});

it('the page has a policy that runs only its own script', async () => {
  const { headers, body } = await ask('');
  const [, nonce] = /nonce="([^"]+)"/.exec(body)!;
  expect(headers['content-security-policy']).toContain(`script-src 'nonce-${nonce}'`);
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(headers['x-content-type-options']).toBe('nosniff');
});

it('the page comes with the answers to its first questions, as data that cannot end its element', async () => {
  const { body } = await ask('');
  const [, data] = /<script type="application\/json" id="first">([^<]*)<\/script>/.exec(body)!;
  const answers = JSON.parse(data!) as Record<string, unknown>;
  const [run] = await runs();
  const paths = ['runs', `runs/${run!.id}/details`, `runs/${run!.id}/episodes?set=update-5`];
  expect(Object.keys(answers)).toEqual(paths);
  for (const path of paths) expect([path, answers[path]]).toEqual([path, JSON.parse((await ask(path)).body)]);
});

describe('pictures', () => {
  it('are sent by their hash and kept by the browser', async () => {
    const [run] = await runs();
    const { rows } = JSON.parse((await ask(`runs/${run!.id}/episodes?set=played`)).body) as { rows: { id: string }[] };
    const episode = JSON.parse((await ask(`runs/${run!.id}/episode?set=played&id=${rows[0]!.id}`)).body) as {
      steps: { pictures: string[] }[];
    };
    const hash = episode.steps[0]!.pictures[0]!.slice('sha256:'.length);
    const { status, headers } = await ask(`runs/${run!.id}/picture/${hash}.png?set=played`);
    expect([status, headers['content-type']]).toEqual([200, 'image/png']);
    expect(headers['cache-control']).toContain('immutable');
  });

  it('are nothing but pictures, whatever a folder links to', async () => {
    const secret = join(home, 'secret.txt');
    writeFileSync(secret, 'secret');
    const images = join(home, 'run', 'episodes', 'images');
    mkdirSync(images, { recursive: true });
    const name = 'a'.repeat(64);
    symlinkSync(secret, join(images, `${name}.png`));
    const [run] = await runs();
    for (const path of [`${name}.png`, '..%2F..%2Frun.json', '%2Fetc%2Fpasswd']) {
      const { status, body } = await ask(`runs/${run!.id}/picture/${path}?set=played`);
      expect([status, body.includes('secret')]).toEqual([404, false]);
    }
  });
});

it('live news continue after the last record that a page has', async () => {
  const [run] = await runs();
  const all = JSON.parse((await ask(`runs/${run!.id}/metrics?from=0`)).body) as { to: number; records: unknown[] };
  const controller = new AbortController();
  const from = all.to - 40;
  const response = await fetch(`${viewing.address}runs/${run!.id}/live`, {
    headers: { 'last-event-id': String(all.to) },
    signal: controller.signal,
  });
  const reader = response.body!.getReader();
  const text = new TextDecoder().decode((await reader.read()).value);
  controller.abort();
  expect(text).toMatch(new RegExp(`^id: ${all.to}\\ndata: `));
  expect(JSON.parse(text.split('data: ')[1]!)).toMatchObject({ records: [], recorded: [5] });
  // in the middle of a line: the rest of it is not a record
  const part = JSON.parse((await ask(`runs/${run!.id}/metrics?from=${from}`)).body) as { to: number };
  expect(part).toEqual({ records: [], to: all.to });
});
