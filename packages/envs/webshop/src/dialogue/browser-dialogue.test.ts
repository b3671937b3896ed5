import { messageText, promptImages } from '@vlgym/core';
import type { BrowserObservation } from '@vlgym/site/pages';
import { describe, expect, it } from 'vitest';
import type { BrowserInfo } from '../browser/info.js';
import { BROWSER_ACTIONS, BROWSER_TOOLS } from './browser-actions.js';
import { browserDialogue } from './browser-dialogue.js';

const observation: BrowserObservation = {
  screenshot: { width: 640, height: 480, channels: 3, data: new Uint8Array(640 * 480 * 3) },
  text: 'Welcome [SEP] Search',
  url: '/visit',
  accessibility: '',
  elements: [
    { mark: 1, role: 'textbox', name: 'Search...', box: [0, 0, 90, 20], visible: true },
    { mark: 2, role: 'button', name: 'Search', box: [0, 30, 90, 20], visible: true },
    { mark: 3, role: 'link', name: 'Imprint', box: [0, 900, 90, 20], visible: false },
  ],
  lastError: '',
};
const shopInfo: BrowserInfo = {
  instruction: 'Find me a [red] lamp',
  goalIndex: 0,
  url: '',
  page: 'index',
  availableActions: { hasSearchBar: true, clickables: ['search', 'buy now'] },
  blockedRequests: 0,
};
const shop = { observation, info: shopInfo, history: [] };
const styles = ['json-v1', 'tags-v1', 'tools-v1'] as const;

describe.each(styles)('mouse and keyboard in the style %s', (style) => {
  const browser = browserDialogue(`browser-${style}`, true);

  it.each([
    'search[red lamp]',
    'click[buy now]',
    'mark[3]',
    'at[10,20]',
    'type[Oak [big] Desk]',
    'key[Enter]',
    'scroll[-100]',
    'back',
  ])('demonstrates and parses %s', (action) => {
    const parsed = browser.parse(browser.demonstrate!(shop, action), shop);
    expect(parsed).toMatchObject({ action, legal: true, formatValid: true });
  });

  it.each([
    ['mark[9]', 'unknown element 9'],
    ['at[640,20]', 'the first below 640'],
    ['key[F13]', 'unknown key'],
    ['scroll[far]', 'a number of pixels'],
    ['click[search]', 'nothing on this page'],
  ])('explains why %s is impossible, and lists alternatives', (action, why) => {
    const { legal, reason, repairHint } = browser.parse(browser.demonstrate!(shop, action), shop);
    expect([legal, reason]).toEqual([false, 'unavailable-action']);
    expect(repairHint).toContain(why);
    expect(repairHint).toContain('mark[{number}]');
  });

  it('shows screenshot, numbered elements, and every action, and lists choices that it can parse', () => {
    const messages = browser.prompt(shop);
    expect(promptImages(messages)).toEqual([observation.screenshot]);
    const words = messages.map(messageText).join('');
    expect(words).toContain('3 link "Imprint" (outside of the window)');
    for (const { form } of BROWSER_ACTIONS) expect(words).toContain(form);
    for (const choice of browser.choices!(shop)) {
      expect(browser.parse(browser.demonstrate!(shop, choice), shop)).toMatchObject({ action: choice, legal: true });
    }
  });
});

it.each(['', 'hm', '{"thoughts": "x", "action": "fly[away]"}', '{"thoughts": "x", "action": ""}'])(
  'says what to write instead of %s',
  (answer) => {
    const { action, legal, reason, repairHint } = browserDialogue('browser-json-v1', true).parse(answer, shop);
    expect([action, legal]).toEqual([undefined, false]);
    expect(reason).toEqual(expect.any(String));
    expect(repairHint).toContain('one JSON object');
  },
);

it('has one tool per action, with the required argument', () => {
  expect(new Set(BROWSER_TOOLS.map(({ name }) => name)).size).toBe(BROWSER_ACTIONS.length);
  for (const { argument, parameters } of BROWSER_TOOLS) expect(parameters.required).toEqual(argument ? [argument] : []);
});

it('parses a tool call without arguments, and one with a numeric argument', () => {
  const tools = browserDialogue('browser-tools-v1', true);
  expect(tools.parse('{"name": "back_action", "arguments": {}}', shop)).toMatchObject({ action: 'back', legal: true });
  const called = '<tool_call>{"name": "mark_action", "arguments": {"number": 3}}</tool_call>';
  expect(tools.parse(called, shop)).toMatchObject({ action: 'mark[3]', legal: true });
});
