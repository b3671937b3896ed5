import { messageText, promptImages } from '@vlgym/core';
import { describe, expect, it } from 'vitest';
import type { SiteInfo } from '../env/site-info.js';
import type { SiteObservation } from '../observation/site-observation.js';
import { SITE_ACTIONS, SITE_TOOLS } from './page-actions.js';
import { siteDialogue } from './site-dialogue.js';

const observation: SiteObservation = {
  title: 'Welcome',
  tabs: [],
  dialogs: [],
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
const info: SiteInfo = { instruction: 'Open the imprint.', task: 0, blockedRequests: 0 };
const site = { observation, info, history: [] };

describe.each(['json-v1', 'tags-v1', 'tools-v1'] as const)('mouse and keyboard in the style %s', (style) => {
  const dialogue = siteDialogue(style, true);

  it.each(['click[imprint]', 'click[search]', 'goto[/Help]', 'stop[42]', 'mark[2]', 'back'])(
    'demonstrates and parses %s',
    (action) => {
      const parsed = dialogue.parse(dialogue.demonstrate!(site, action), site);
      expect(parsed).toMatchObject({ action, legal: true, formatValid: true });
    },
  );

  it('clicks a name in any case', () => {
    const parsed = dialogue.parse(dialogue.demonstrate!(site, 'click[Imprint]'), site);
    expect(parsed).toMatchObject({ action: 'click[imprint]', legal: true });
  });

  it('shows the screenshot and every action', () => {
    const messages = dialogue.prompt(site);
    expect(promptImages(messages)).toEqual([observation.screenshot]);
    const words = messages.map(messageText).join('');
    for (const { form } of SITE_ACTIONS) expect(words).toContain(form);
  });

  it('is text only without screenshots', () => {
    expect(siteDialogue(style, false).prompt(site)[0]!.content).toEqual(expect.any(String));
  });
});

it('has one tool per action, with the required argument', () => {
  expect(new Set(SITE_TOOLS.map(({ name }) => name)).size).toBe(SITE_ACTIONS.length);
  for (const { argument, parameters } of SITE_TOOLS) expect(parameters.required).toEqual(argument ? [argument] : []);
});
