/**
 * The dialogue of `SiteEnv` in BrowserGym's actions: `fill('12', 'green tea')`, one or more per answer.
 *
 * The wording is our own; any change requires a new version. Names of actions: `actions/site-actions.ts`.
 */
import { type ChatMessage, type Dialogue, type ParsedResponse, type PromptContext, parseResponse } from '@vlgym/core';
import { looksLikeCalls, readCalls } from '../actions/python-calls.js';
import { bindCall, SITE_CALLS } from '../actions/site-actions.js';
import type { SiteInfo } from '../env/site-info.js';
import type { SiteObservation } from '../observation/site-observation.js';
import type { SiteElement } from '../observation/site-view.js';
import { executable } from './executable.js';

type Context = PromptContext<SiteObservation, string, SiteInfo>;

/** Past turns in a prompt. */
const SHOWN_TURNS = 4;
/** Maximum lengths of a page's text and list of elements in a prompt, characters. */
const [MAX_TEXT_LENGTH, MAX_LIST_LENGTH] = [6000, 8000];

export function browserGymDialogue(screenshot: boolean): Dialogue<SiteObservation, string, SiteInfo> {
  return {
    version: 'site/browsergym-v1',
    prompt: (context) => prompt(context, screenshot),
    parse: (text) => parse(text),
    choices: ({ observation }) => choices(observation),
    demonstrate: (_, action) => `<think>The next step is ${action}.</think><action>${action}</action>`,
  };
}

function choices({ elements }: SiteObservation): string[] {
  const usable = elements.filter(({ role, disabled }) => role !== 'region' && !disabled);
  return [...usable.map(({ mark }) => `click('${mark}')`), 'scroll(0, 400)', 'scroll(0, -400)', 'go_back()'];
}

function prompt({ observation, info, history }: Context, screenshot: boolean): ChatMessage[] {
  const { url, title, tabs, dialogs, text, elements } = observation;
  const past = history.slice(-SHOWN_TURNS).map(({ action, observation: page }, index, shown) => {
    const number = history.length - shown.length + index + 1;
    return `Step ${number}: the address was ${shortened(page.url, 200)} and you did ${action ?? 'nothing'}.`;
  });
  const tabLines = tabs.map(
    (tab, index) =>
      `${index} ${JSON.stringify(shortened(tab.title, 60))} ${shortened(tab.url, 120)}${tab.active ? ' (this one)' : ''}`,
  );
  const parts = [
    'You are using a web site in a browser. Do what the instruction says, then stop with send_msg_to_user.',
    `Instruction: ${info.instruction}`,
    ...(past.length > 0 ? [`You have done ${history.length} steps. The last ones:`, ...past] : []),
    `The page now: ${JSON.stringify(shortened(title, 120))} at ${shortened(url, 200)}`,
    ...(tabs.length > 1 ? [`Tabs:\n${tabLines.join('\n')}`] : []),
    ...dialogs.map(
      ({ type, message, accepted }) =>
        `A dialog (${type}) said ${JSON.stringify(shortened(message, 200))} and was ${accepted ? 'accepted' : 'dismissed'}.`,
    ),
    `The text of the page: ${shortened(text, MAX_TEXT_LENGTH)}`,
    `Its elements, each with its bid:\n${shortened(elements.map(elementLine).join('\n'), MAX_LIST_LENGTH)}`,
    `What you can do:\n${SITE_CALLS.map(({ example, does }) => `${example} ${does}`).join('\n')}`,
    ...(info.reason ? [`Your last action was not done: ${info.reason}.`] : []),
    'Think first, inside <think> and </think>. Then give one or more actions, one per line, inside <action> and </action>.',
  ];
  const content = parts.join('\n\n');
  if (!screenshot) return [{ role: 'user', content }];
  const picture = { type: 'image', image: observation.screenshot } as const;
  return [{ role: 'user', content: [picture, { type: 'text', text: `\n${content}` }] }];
}

/** `[3] textbox "Name" value="Ada" focused` */
function elementLine(element: SiteElement): string {
  const { mark, role, name, value, checked, options, covered, visible, expanded } = element;
  const flags = (['focused', 'disabled', 'required'] as const).filter((flag) => element[flag]);
  return [
    `[${mark}]`,
    role,
    JSON.stringify(shortened(name.trim(), 80)),
    ...(value ? [`value=${JSON.stringify(shortened(value, 80))}`] : []),
    ...(checked === undefined ? [] : [`checked=${checked}`]),
    ...(expanded === undefined ? [] : [`expanded=${expanded}`]),
    ...(options ? [`options=${shortened(JSON.stringify(options), 200)}`] : []),
    ...flags,
    ...(covered === undefined ? [] : ['covered']),
    ...(visible ? [] : ['(outside of the window)']),
  ].join(' ');
}

const shortened = (text: string, limit: number) => (text.length > limit ? `${text.slice(0, limit)} …` : text);

function parse(text: string): ParsedResponse<string> {
  const { action: _, ...rest } = parseResponse(text, { format: 'tags', actions: [], requiredKeys: ['think'] });
  const written = executable(rest.actionText).trim();
  const wrong = written === '' ? 'the answer has no action' : problemOf(written);
  if (wrong !== undefined) {
    return {
      ...rest,
      legal: false,
      reason: written === '' ? 'no-action' : 'unknown-action',
      repairHint: `${JSON.stringify(shortened(written, 60))} cannot be done: ${wrong}. Do one of: ${SITE_CALLS.map(({ example }) => example).join(', ')}.`,
    };
  }
  const { reason: __, repairHint: ___, ...clean } = rest;
  return { ...clean, action: written, legal: true };
}

function problemOf(action: string): string | undefined {
  if (!looksLikeCalls(action)) return "an action is a call, e.g. click('7')";
  const calls = readCalls(action);
  if (typeof calls === 'string') return calls;
  return calls.map(bindCall).find((call) => typeof call === 'string');
}
