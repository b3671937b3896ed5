/** `SiteEnv` under the contract of every environment, and the face that people see: numbers in the picture, names of actions. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkEnv } from '@vlgym/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM, NEEDS_CHROMIUM } from '../../test-support/chromium.js';
import { readCalls } from '../actions/python-calls.js';
import { describeCall, SiteActionSpace } from '../actions/site-action-space.js';
import { bindCall } from '../actions/site-actions.js';
import type { SiteElement } from '../observation/site-view.js';
import { SiteEnv } from './site-env.js';
import type { SiteTask } from './site-task.js';

const HOME = `<title>Home</title><a href="/shipping">Shipping</a><form action="/"><label>Name <input name="name"></label>
  <input type="number" aria-label="Number"><select aria-label="Kind"><option>it's</option><option>"b"</option></select>
  <label><input type="checkbox"> Loud</label><button>Send</button></form>`;

const element = (mark: number, rest: Partial<SiteElement>): SiteElement => ({
  mark,
  role: 'button',
  name: 'Send',
  box: [0, 0, 20, 20],
  visible: true,
  ...rest,
});

const ELEMENTS = [
  element(1, { role: 'link', name: ' Free \n shipping ' }),
  element(2, { role: 'textbox', name: 'Name', type: 'text' }),
  element(3, { role: 'combobox', name: 'Kind', options: ["it's", '"b"'] }),
  element(4, { name: '', disabled: true }),
  element(5, { visible: false }),
  element(6, { type: 'file' }),
];

describe('samples of the action space', () => {
  it('are valid calls on elements that can be used, or calls without an element', () => {
    const space = new SiteActionSpace(() => ELEMENTS);
    space.seed(1);
    const samples = Array.from({ length: 300 }, () => space.sample());
    const marks = new Set<unknown>();
    for (const sample of samples) {
      const calls = readCalls(sample);
      expect(calls, sample).toHaveLength(1);
      const bound = bindCall((calls as Exclude<typeof calls, string>)[0]!);
      expect(bound, sample).toBeTypeOf('object');
      if (typeof bound === 'object' && bound.values.bid !== undefined) marks.add(bound.values.bid);
    }
    expect([...marks].filter((mark) => mark !== null).sort()).toEqual([1, 2, 3]);
    expect(samples).toContain(`select_option('3', "\\"b\\"")`);
  });

  it('repeat with a seed, also in a copy, and need no page', () => {
    const draw = (space: SiteActionSpace) => {
      space.seed(7);
      return Array.from({ length: 20 }, () => space.sample());
    };
    const space = new SiteActionSpace(() => ELEMENTS);
    expect(draw(space.clone())).toEqual(draw(space));
    expect(draw(new SiteActionSpace(() => [])).every((sample) => typeof readCalls(sample) !== 'string')).toBe(true);
    expect(space.sample({ mask: [3, null] })).toHaveLength(3);
  });
});

it('actions are described by number and name of their element', () => {
  const say = (action: string) => describeCall(action, ELEMENTS);
  expect(['mark[1]', "click('4')", 'mark[99]', 'scroll[400]'].map(say)).toEqual([
    '1 Free shipping',
    '4 button',
    'mark[99]',
    'scroll[400]',
  ]);
});

describe.skipIf(!CHROMIUM)(`in Chromium${NEEDS_CHROMIUM}`, () => {
  const server = createServer(({ url = '/' }, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(url.startsWith('/shipping') ? '<title>Shipping</title><a href="/">Home</a>' : HOME);
  });
  let tasks: SiteTask[] = [];
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const start = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const judge: SiteTask['judge'] = ({ observation }) => {
      const done = observation.url.endsWith('/shipping');
      return { reward: done ? 1 : 0, done };
    };
    tasks = [
      { instruction: 'Find shipping.', start, judge },
      { instruction: 'Find shipping from here.', start: `${start}?here`, judge },
    ];
  });
  afterAll(() => void server.close());

  it('meets the contract', { timeout: 240_000 }, async () => {
    const settings = { width: 320, height: 240, timeout: 60_000 };
    const report = await checkEnv(() => new SiteEnv(tasks, settings), { steps: 3 });
    expect(report.findings).toEqual([]);
  });

  it('renders the numbers of its elements, which observations do not have', { timeout: 120_000 }, async () => {
    const env = new SiteEnv(tasks, { width: 320, height: 240, timeout: 60_000, renderMode: 'rgb_array' });
    const { observation } = await env.reset({ options: { task: 0 } });
    expect(env.describeTask()).toBe('Find shipping.');
    const link = observation.elements.find(({ name }) => name === 'Shipping')!;
    expect(env.describeAction(`mark[${link.mark}]`)).toBe(`${link.mark} Shipping`);
    const [x, y] = link.box;
    const pixel = (data: Uint8Array) => [...data.subarray(3 * (y * 320 + x + 10), 3 * (y * 320 + x + 10) + 3)];
    const shown = (await env.render()) as typeof observation.screenshot;
    expect(pixel(observation.screenshot.data)).toEqual([255, 255, 255]);
    expect(pixel(shown.data)).not.toEqual([255, 255, 255]);
    await env.close();
  });
});
