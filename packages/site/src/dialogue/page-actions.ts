/**
 * Actions on a browser page as a model sees them: form, description, tool, and a test whether the open page allows them.
 */

import { type InputAction, inputAction, KEYS } from '../page/input.js';
import type { MarkedElement } from '../page/live-page.js';
import { executable } from './executable.js';
import { type ActionTool, tool } from './tools.js';

/** The facts that decide whether an action is possible now. */
export interface ActionPage {
  readonly elements: readonly MarkedElement[];
  /** Pixels. */
  readonly screenshot: { readonly width: number; readonly height: number };
  /** Names that `click` accepts, in lower case. */
  readonly clickables: readonly string[];
  readonly hasSearchBar: boolean;
}

export interface PageAction {
  readonly name: string;
  /** Written form, e.g. `mark[{number}]`. */
  readonly form: string;
  readonly does: string;
  readonly tool: ActionTool;
  /** The reason why it is impossible on this page, or `undefined`. */
  readonly refusal: (argument: string, page: ActionPage) => string | undefined;
  /** Names are shown in lower case: how that of an answer becomes one. Without it, arguments keep their case. */
  readonly lower?: (argument: string) => string;
}

const always = () => undefined;

const MARK: PageAction = {
  name: 'mark',
  form: 'mark[{number}]',
  does: 'clicks the element with this number, wherever on the page it is',
  tool: tool('mark_action', 'Click an element by its number.', 'number', 'Its number, e.g. 7.', 'integer'),
  refusal: (argument, { elements }) =>
    elements.some(({ mark }) => String(mark) === argument) ? undefined : `unknown element ${argument}`,
};

const AT: PageAction = {
  name: 'at',
  form: 'at[{x},{y}]',
  does: 'clicks a place of the screenshot, in pixels from its top left corner',
  tool: tool('at_action', 'Click a place of the screenshot.', 'place', 'Pixels from left and top, e.g. "120,340".'),
  refusal(argument, { screenshot: { width, height } }) {
    const [, x, y] = /^\s*(\d{1,5})\s*,\s*(\d{1,5})\s*$/.exec(argument) ?? [];
    if (x !== undefined && Number(x) < width && Number(y) < height) return undefined;
    return `a place is two numbers, the first below ${width}, the second below ${height}`;
  },
};

const TYPE: PageAction = {
  name: 'type',
  form: 'type[{words}]',
  does: 'types where the focus is; click a text box first',
  tool: tool('type_action', 'Type where the focus is.', 'words', 'What to type.'),
  refusal: always,
};

const KEY: PageAction = {
  name: 'key',
  form: 'key[{name}]',
  does: `presses one key: ${KEYS.join(', ')}`,
  tool: tool('key_action', 'Press one key.', 'key', `One of ${KEYS.join(', ')}.`),
  refusal: (argument) =>
    KEYS.some((key) => key.toLowerCase() === argument.toLowerCase()) ? undefined : `unknown key "${argument}"`,
};

const SCROLL: PageAction = {
  name: 'scroll',
  form: 'scroll[{pixels}]',
  does: 'scrolls the page down, or up by a negative number',
  tool: tool('scroll_action', 'Scroll the page.', 'pixels', 'Down; negative numbers go up.', 'integer'),
  refusal: (argument) => (/^\s*-?\d{1,9}\s*$/.test(argument) ? undefined : 'scroll takes a number of pixels'),
};

const BACK: PageAction = {
  name: 'back',
  form: 'back',
  does: 'goes back to the page before',
  tool: tool('back_action', 'Go back to the page before.'),
  refusal: always,
};

const GOTO: PageAction = {
  name: 'goto',
  form: 'goto[{address}]',
  does: 'opens an address of this site, e.g. goto[/help]',
  tool: tool('goto_action', 'Open an address of this site.', 'address', 'E.g. "/help".'),
  refusal: always,
};

const STOP: PageAction = {
  name: 'stop',
  form: 'stop[{answer}]',
  does: 'ends the task; give the answer that was asked for, or say "done"',
  tool: tool('stop_action', 'End the task.', 'answer', 'The answer that was asked for, or "done".'),
  refusal: always,
};

/** Mouse and keyboard, on any page. */
export const INPUT_ACTIONS: readonly PageAction[] = [MARK, AT, TYPE, KEY, SCROLL, BACK];

/** @returns The action that clicks an element by its name. */
export function clickAction(tool: ActionTool, lower: (name: string) => string): PageAction {
  return {
    name: 'click',
    form: 'click[{name}]',
    does: 'clicks the element with this name',
    tool,
    refusal: (name, { clickables }) =>
      clickables.includes(name.trim()) ? undefined : 'nothing on this page has this name',
    lower,
  };
}

const CLICK = clickAction(
  tool('click_action', 'Click an element by its name.', 'value', 'Its name, as it stands in the list of elements.'),
  (name) => name.toLowerCase(),
);

/** Actions of any site. */
export const SITE_ACTIONS: readonly PageAction[] = [CLICK, ...INPUT_ACTIONS, GOTO, STOP];

/** Tools for `SiteEnv`'s `tools-v1`. */
export const SITE_TOOLS: readonly ActionTool[] = SITE_ACTIONS.map((action) => action.tool);

/** Converts an action as a model wrote it to the form that environments accept. */
export function writtenAction(text: string | undefined, actions: readonly PageAction[]): InputAction | undefined {
  const parsed = text === undefined ? undefined : inputAction(text);
  const action = actions.find(({ name }) => name === parsed?.name.toLowerCase());
  if (!parsed || !action) return undefined;
  const argument = executable(parsed.argument);
  return { name: action.name, argument: action.lower?.(argument) ?? argument };
}

export const actionText = ({ name, argument }: InputAction): string =>
  name === 'back' ? name : `${name}[${argument}]`;
