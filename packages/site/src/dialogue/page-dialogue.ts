/**
 * Prompts for models that use mouse and keyboard on browser pages (screenshot, numbered elements, and actions), and the
 * parsing of their answers.
 *
 * Three styles, like those of the text shop: one JSON object, `<think>` and `<action>` tags, or a tool call. The wording is
 * our own; any change requires a new version.
 */
import {
  type ChatMessage,
  type Dialogue,
  type Info,
  type ParsedResponse,
  type PromptContext,
  parseResponse,
  type ResponseFormat,
} from '@vlgym/core';
import type { InputAction } from '../page/input.js';
import type { BrowserObservation } from '../page/page-observation.js';
import { type ActionPage, actionText, type PageAction, writtenAction } from './page-actions.js';

export interface PageDialogue<I extends Info> {
  readonly version: string;
  readonly format: ResponseFormat;
  readonly actions: readonly PageAction[];
  /** One or two sentences about where the agent is. */
  readonly opening: string;
  /** Whether the prompt contains the screenshot. */
  readonly screenshot: boolean;
  /** A sensible search, for the list of choices. */
  readonly search?: (info: I) => string;
  /** Names that can be clicked, in lower case, and whether there is a search box. */
  readonly page: (observation: BrowserObservation, info: I) => Pick<ActionPage, 'clickables' | 'hasSearchBar'>;
}

type PageInfo = Info & { readonly instruction: string; readonly reason?: string };
type Context<I extends Info> = PromptContext<BrowserObservation, string, I>;

/** Past turns in a prompt. */
const SHOWN_TURNS = 4;
/** Maximum lengths of a page's text and list of elements in a prompt, characters. */
const [MAX_TEXT_LENGTH, MAX_LIST_LENGTH] = [6000, 6000];

const ASK: Readonly<Record<ResponseFormat, string>> = {
  json: 'Answer with one JSON object and nothing else: {"thoughts": "{what you see and plan}", "action": "{one action}"}',
  tags: 'Think first, inside <think> and </think>. Then give one action inside <action> and </action>.',
  'tool-call': 'Call one tool. Say what you think in its argument "thoughts".',
};

export function pageDialogue<I extends PageInfo>(how: PageDialogue<I>): Dialogue<BrowserObservation, string, I> {
  return {
    version: how.version,
    prompt: (context) => prompt(context, how),
    parse: (text, context) => parse(text, how, context),
    choices: (context) => choices(context, how),
    demonstrate: (_, action) => demonstrate(action, how),
    ...(how.format === 'tool-call' && { tools: how.actions.map(({ tool }) => tool) }),
  };
}

function pageOf<I extends PageInfo>({ observation, info }: Context<I>, how: PageDialogue<I>): ActionPage {
  const { elements, screenshot } = observation;
  return { elements, screenshot, ...how.page(observation, info) };
}

/** Choices: a search, every element by its number, two scrolls, and going back. */
function choices<I extends PageInfo>(context: Context<I>, how: PageDialogue<I>): string[] {
  const search = pageOf(context, how).hasSearchBar && how.search;
  return [
    ...(search ? [search(context.info)] : []),
    ...context.observation.elements.map(({ mark }) => `mark[${mark}]`),
    'scroll[400]',
    'scroll[-400]',
    'back',
  ];
}

function prompt<I extends PageInfo>(context: Context<I>, how: PageDialogue<I>): ChatMessage[] {
  const { observation, info, history } = context;
  const past = history.slice(-SHOWN_TURNS).map(({ action, observation: page }, index, shown) => {
    const number = history.length - shown.length + index + 1;
    return `Step ${number}: the address was ${shortened(page.url, 200)} and you did ${action ?? 'nothing'}.`;
  });
  const elements = observation.elements.map(
    ({ mark, role, name, visible }) =>
      `${mark} ${role} ${JSON.stringify(shortened(name.trim(), 80))}${visible ? '' : ' (outside of the window)'}`,
  );
  const text = [
    how.opening,
    `Instruction: ${info.instruction}`,
    ...(past.length > 0 ? [`You have done ${history.length} steps. The last ones:`, ...past] : []),
    `The address now: ${shortened(observation.url, 200)}`,
    `The text of the page: ${shortened(observation.text, MAX_TEXT_LENGTH)}`,
    `Its elements, each with its number:\n${shortened(elements.join('\n'), MAX_LIST_LENGTH)}`,
    `What you can do:\n${how.actions.map(({ form, does }) => `${form} ${does}`).join('\n')}`,
    ...(info.reason ? [`Your last action did nothing: ${info.reason}.`] : []),
    ASK[how.format],
  ].join('\n\n');
  if (!how.screenshot) return [{ role: 'user', content: text }];
  const picture = { type: 'image', image: observation.screenshot } as const;
  return [{ role: 'user', content: [picture, { type: 'text', text: `\n${text}` }] }];
}

const shortened = (text: string, limit: number) => (text.length > limit ? `${text.slice(0, limit)} …` : text);

function parse<I extends PageInfo>(text: string, how: PageDialogue<I>, context?: Context<I>): ParsedResponse<string> {
  const listed = context ? choices(context, how) : [];
  const { action: index, ...rest } = readAnswer(text, how, listed);
  const written = wholeAction(rest.actionText, text, how);
  const action = writtenAction(written, how.actions) ?? writtenAction(listed[index ?? -1], how.actions);
  if (!action) return { ...rest, legal: false, ...(rest.reason && { repairHint: hint(rest, how) }) };
  const refusal = context && refused(action, pageOf(context, how), how);
  const { reason: _, repairHint: __, ...clean } = rest;
  return {
    ...clean,
    action: actionText(action),
    legal: refusal === undefined,
    ...(refusal !== undefined && {
      reason: 'unavailable-action',
      repairHint: `${JSON.stringify(shortened(actionText(action), 60))} cannot be done on this page: ${refusal}. ${forms(how)}`,
    }),
  };
}

function refused<I extends Info>(action: InputAction, page: ActionPage, { actions }: PageDialogue<I>) {
  return actions.find(({ name }) => name === action.name)!.refusal(action.argument, page);
}

function hint<I extends Info>({ repairHint = '', reason }: ParsedResponse<number>, how: PageDialogue<I>): string {
  // Keeps the complaint about the format without the list of choices, which is endless here.
  const complaint = repairHint.replace(/; "[^"]*" is exactly one of: .*$/s, '.');
  return reason === 'unknown-action' || reason === 'no-action' ? `${complaint} ${forms(how)}` : complaint;
}

const forms = <I extends Info>({ actions }: PageDialogue<I>) =>
  `Do one of: ${actions.map(({ form }) => form).join(', ')}.`;

function readAnswer<I extends Info>(text: string, how: PageDialogue<I>, actions: readonly string[]) {
  const { format } = how;
  if (format !== 'tool-call') {
    return parseResponse(text, { format, actions, requiredKeys: [format === 'json' ? 'thoughts' : 'think'] });
  }
  return parseResponse(text, { format, actions, actionKey: calledAction(text, how)?.tool.argument || 'name' });
}

/** A complete action, or a tool call converted to one. */
function wholeAction<I extends Info>(written: string, text: string, how: PageDialogue<I>): string | undefined {
  if (how.format !== 'tool-call') return written;
  const called = calledAction(text, how);
  if (!called || written.trim() === '' || (called.tool.argument && written === called.tool.name)) return undefined;
  return actionText({ name: called.name, argument: written.replace(/\n/g, ' ') });
}

function calledAction<I extends Info>(text: string, { actions }: PageDialogue<I>): PageAction | undefined {
  const name = [...text.matchAll(/"(?:name|toolName)\\?"\s*:\s*\\?"(\w+)/g)].at(-1)?.[1];
  return actions.find(({ tool }) => tool.name === name);
}

function demonstrate<I extends Info>(action: string, { format, actions }: PageDialogue<I>): string {
  const { name, argument } = writtenAction(action, actions) ?? { name: '', argument: '' };
  const { tool, does = '' } = actions.find((candidate) => candidate.name === name) ?? {};
  const thoughts = `The next step ${does}.`;
  if (format === 'json') return JSON.stringify({ thoughts, action });
  if (format === 'tags') return `<think>${thoughts}</think><action>${action}</action>`;
  const given = tool?.argument ? { [tool.argument]: argument } : {};
  return JSON.stringify({ name: tool?.name ?? action, arguments: { thoughts, ...given } });
}
