/**
 * The actions of a browser page by BrowserGym's names and arguments, so that its agents can be used unchanged.
 *
 * Names, arguments and their order follow `browsergym/core/action/functions.py` (Apache-2.0). `bid` is the mark of an
 * element. Arguments after `?` may be left out; `bid` of `scroll`, and the answers to dialogs, are additions of ours.
 */
import type { Literal, PythonCall } from './python-calls.js';

type Kind = 'bid' | 'text' | 'texts' | 'number' | 'button' | 'modifiers';

interface Parameter {
  readonly name: string;
  readonly kind: Kind;
  readonly fallback?: Literal;
}

export interface SiteAction {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  /** For prompts. */
  readonly does: string;
  readonly example: string;
}

/** `bid button?=left` declares a mark and a button with a default. */
function action(name: string, parameters: string, does: string, example: string): SiteAction {
  const read = (text: string): Parameter => {
    const [, parameter, kind, optional, fallback] = /^(\w+):(\w+)(\?=(.*))?$/.exec(text)!;
    const value = kind === 'modifiers' ? [] : kind === 'number' ? Number(fallback) : fallback!;
    return { name: parameter!, kind: kind as Kind, ...(optional && { fallback: value }) };
  };
  return { name, parameters: parameters === '' ? [] : parameters.split(' ').map(read), does, example };
}

const PRESS = 'button:button?=left modifiers:modifiers?=';

export const SITE_CALLS: readonly SiteAction[] = [
  action('click', `bid:bid ${PRESS}`, 'clicks an element', "click('7')"),
  action('dblclick', `bid:bid ${PRESS}`, 'double clicks an element', "dblclick('7')"),
  action('hover', 'bid:bid', 'moves the mouse over an element', "hover('7')"),
  action('focus', 'bid:bid', 'focuses an element', "focus('7')"),
  action('fill', 'bid:bid value:text', 'replaces what a field holds', "fill('7', 'green tea')"),
  action('clear', 'bid:bid', 'empties a field', "clear('7')"),
  action('check', 'bid:bid', 'checks a check box or radio button', "check('7')"),
  action('uncheck', 'bid:bid', 'unchecks a check box', "uncheck('7')"),
  action(
    'select_option',
    'bid:bid options:texts',
    'chooses from a list, by label or value',
    "select_option('7', 'blue')",
  ),
  action('press', 'bid:bid key_comb:text', 'focuses an element and presses keys', "press('7', 'Control+a')"),
  action('drag_and_drop', 'from_bid:bid to_bid:bid', 'drags one element onto another', "drag_and_drop('7', '9')"),
  action(
    'upload_file',
    'bid:bid file:texts',
    'gives files of the task to a file input',
    "upload_file('7', 'letter.txt')",
  ),
  action(
    'scroll',
    'delta_x:number delta_y:number bid:bid?=',
    'scrolls what is under the mouse, or an element',
    'scroll(0, 400)',
  ),
  action('mouse_move', 'x:number y:number', 'moves the mouse to a place of the window', 'mouse_move(120, 340)'),
  action(
    'mouse_click',
    'x:number y:number button:button?=left',
    'clicks a place of the window',
    'mouse_click(120, 340)',
  ),
  action(
    'mouse_dblclick',
    'x:number y:number button:button?=left',
    'double clicks a place',
    'mouse_dblclick(120, 340)',
  ),
  action(
    'mouse_down',
    'x:number y:number button:button?=left',
    'presses a mouse button and holds it',
    'mouse_down(120, 340)',
  ),
  action('mouse_up', 'x:number y:number button:button?=left', 'releases a mouse button', 'mouse_up(120, 340)'),
  action(
    'mouse_drag_and_drop',
    'from_x:number from_y:number to_x:number to_y:number',
    'drags from place to place',
    'mouse_drag_and_drop(10, 20, 300, 40)',
  ),
  action(
    'mouse_upload_file',
    'x:number y:number file:texts',
    'gives files to the file input at a place',
    "mouse_upload_file(120, 340, 'letter.txt')",
  ),
  action('keyboard_press', 'key:text', 'presses keys', "keyboard_press('Control+a')"),
  action('keyboard_down', 'key:text', 'presses a key and holds it', "keyboard_down('Shift')"),
  action('keyboard_up', 'key:text', 'releases a key', "keyboard_up('Shift')"),
  action('keyboard_type', 'text:text', 'types where the focus is', "keyboard_type('green tea')"),
  action(
    'keyboard_insert_text',
    'text:text',
    'inserts text where the focus is, without key events',
    "keyboard_insert_text('茶')",
  ),
  action('goto', 'url:text', 'opens an address of this site', "goto('/help')"),
  action('go_back', '', 'goes back to the page before', 'go_back()'),
  action('go_forward', '', 'goes forward again', 'go_forward()'),
  action('reload', '', 'loads the page again', 'reload()'),
  action('new_tab', '', 'opens a tab', 'new_tab()'),
  action('tab_close', '', 'closes the tab', 'tab_close()'),
  action('tab_focus', 'index:number', 'shows another tab, from 0', 'tab_focus(0)'),
  action(
    'accept_dialog',
    'text:text?=',
    'answers the next dialog with OK, and a prompt with a text',
    'accept_dialog()',
  ),
  action('dismiss_dialog', '', 'answers the next dialog with Cancel', 'dismiss_dialog()'),
  action('noop', 'wait_ms:number?=1000', 'waits', 'noop(500)'),
  action('send_msg_to_user', 'text:text', 'gives the answer that was asked for', "send_msg_to_user('42')"),
  action(
    'report_infeasible',
    'reason:text',
    'says that the task cannot be done',
    "report_infeasible('The page does not exist.')",
  ),
];

const BY_NAME = new Map(SITE_CALLS.map((item) => [item.name, item]));
/** Names that are our own short forms, with the call that they stand for. */
const ALIASES: Readonly<Record<string, string>> = { back: 'go_back', forward: 'go_forward', wait: 'noop' };

export type Arguments = Readonly<Record<string, unknown>>;

export interface BoundCall {
  readonly name: string;
  /** By parameter: `bid` is a number, `options` and `file` are lists, everything else is as declared. */
  readonly values: Arguments;
}

/** Matches the arguments of a call with the parameters of its action. @returns The problem if they do not fit. */
export function bindCall({ name: given, positional, named }: PythonCall): BoundCall | string {
  const name = ALIASES[given] ?? given;
  const found = BY_NAME.get(name);
  if (!found) return `unknown action "${given.slice(0, 40)}"`;
  const { parameters, example } = found;
  if (positional.length > parameters.length)
    return `${name} takes at most ${parameters.length} arguments, e.g. ${example}`;
  const unknown = [...named.keys()].find((key) => !parameters.some((parameter) => parameter.name === key));
  if (unknown !== undefined) return `${name} has no argument "${unknown.slice(0, 40)}", e.g. ${example}`;
  const values: Record<string, unknown> = {};
  for (const [index, { name: key, kind, fallback }] of parameters.entries()) {
    if (index < positional.length && named.has(key)) return `${name} got "${key}" twice, e.g. ${example}`;
    const literal = index < positional.length ? positional[index] : named.has(key) ? named.get(key) : fallback;
    if (literal === undefined) return `${name} needs "${key}", e.g. ${example}`;
    const value = literal === fallback && kind === 'bid' ? null : converted(literal, kind);
    if (value === undefined) return `${name}: "${key}" is ${EXPECTED[kind]}, e.g. ${example}`;
    values[key] = value;
  }
  return { name, values };
}

const EXPECTED: Readonly<Record<Kind, string>> = {
  bid: 'the number of an element',
  text: 'a text',
  texts: 'a text or a list of texts',
  number: 'a number',
  button: '"left", "middle" or "right"',
  modifiers: 'a list of "Alt", "Control", "Meta" and "Shift"',
};

function converted(value: Literal, kind: Kind): unknown {
  switch (kind) {
    case 'bid':
      return /^\d{1,9}$/.test(String(value)) ? Number(value) : undefined;
    case 'text':
      return typeof value === 'string' ? value : undefined;
    case 'texts':
      if (typeof value === 'string') return [value];
      return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
    case 'button':
      return value === 'left' || value === 'middle' || value === 'right' ? value : undefined;
    case 'modifiers': {
      const allowed = ['Alt', 'Control', 'Meta', 'Shift', 'ControlOrMeta'];
      return Array.isArray(value) && value.every((item) => allowed.includes(String(item))) ? value : undefined;
    }
  }
}
