/** Performs one action by BrowserGym's name, with a real mouse and keyboard. */
import type { KeyInput, MouseButton } from '@vlgym/chromium';
import type { Tabs } from '../env/tabs.js';
import {
  checkFileInput,
  elementItself,
  fieldValue,
  focusElement,
  type Located,
  locateElement,
  markAt,
  prepareFill,
  selectOptions,
} from '../observation/site-elements.js';
import type { BrowserPage } from '../page/browser-page.js';
import type { DialogAnswer } from '../page/guard-page.js';
import { type KeyCombination, readKeys } from './keys.js';
import type { BoundCall } from './site-actions.js';

/** Objects that actions work on, in addition to the page. */
export interface SiteHands {
  readonly tabs: Tabs;
  /** Whether tabs are offered. */
  readonly manyTabs: boolean;
  /** The place of the window that a place of the screenshot is. */
  readonly inWindow: (x: number, y: number) => Promise<readonly [number, number]>;
  /** The path of a file of the task; `undefined` for any other name. */
  readonly fileAt: (name: string) => string | undefined;
  answerNextDialog(answer: DialogAnswer): void;
  /** Records the agent's message. */
  said(kind: 'answer' | 'infeasible', text: string): void;
}

/** Milliseconds that `noop` waits at most. */
const MAX_WAIT = 10_000;
/** CSS pixels per scroll. */
const MAX_SCROLL = 10_000;

type Place = readonly [number, number];
type Outcome = Promise<string | undefined>;

/** @returns Why nothing was done, or `undefined`. @throws {PageLostError} */
export async function performCall({ name, values }: BoundCall, hands: SiteHands): Outcome {
  const { tabs } = hands;
  const { page } = tabs;
  const mark = values.bid as number;
  const text = (values.text ?? values.value ?? values.url ?? values.reason ?? values.key ?? values.key_comb) as string;
  const button = (values.button ?? 'left') as MouseButton;
  const modifiers = (values.modifiers ?? []) as readonly string[];
  const at = (x = values.x, y = values.y) => hands.inWindow(x as number, y as number);
  const press = { button, modifiers };
  switch (name) {
    case 'click':
      return onElement(page, mark, (place) => clickAt(page, place, press));
    case 'dblclick':
      return onElement(page, mark, (place) => clickAt(page, place, { ...press, count: 2 }));
    case 'hover':
      return onElement(page, mark, (place) => moveTo(page, place));
    case 'check':
    case 'uncheck':
      return check(page, mark, name === 'check');
    case 'fill':
      return fill(page, mark, text);
    case 'clear':
      return fill(page, mark, '');
    case 'focus':
      return focus(page, mark);
    case 'press':
      return (await focus(page, mark)) ?? pressKeys(page, text);
    case 'select_option':
      return unknownOr(await page.inspect<string | null>(selectOptions(mark, values.options as string[])), mark);
    case 'upload_file':
      return upload(hands, mark, values.file as string[]);
    case 'mouse_upload_file': {
      const found = await page.inspect<number | null>(markAt(...(await at())));
      return found === null ? 'no file input at this place' : upload(hands, found, values.file as string[]);
    }
    case 'drag_and_drop':
      return onElement(page, values.from_bid as number, (from) =>
        onElement(page, values.to_bid as number, (to) => drag(page, from, to)),
      );
    case 'mouse_drag_and_drop':
      return drag(page, await at(values.from_x, values.from_y), await at(values.to_x, values.to_y));
    case 'scroll':
      return scroll(page, values.delta_x as number, values.delta_y as number, values.bid as number | null);
    case 'mouse_move':
      return moveTo(page, await at());
    case 'mouse_click':
      return clickAt(page, await at(), press);
    case 'mouse_dblclick':
      return clickAt(page, await at(), { ...press, count: 2 });
    case 'mouse_down':
    case 'mouse_up': {
      await moveTo(page, await at());
      return done(page.act(() => (name === 'mouse_down' ? page.page.mouse.down(press) : page.page.mouse.up(press))));
    }
    case 'keyboard_press':
      return pressKeys(page, text);
    case 'keyboard_down':
    case 'keyboard_up':
      return withKeys(text, ({ key }) =>
        page.act(() => page.page.keyboard[name === 'keyboard_down' ? 'down' : 'up'](key as KeyInput)),
      );
    case 'keyboard_type':
      return done(page.act(() => page.page.keyboard.type(text)));
    case 'keyboard_insert_text':
      return done(page.act(() => page.page.keyboard.sendCharacter(text)));
    case 'goto':
      return page.visit(text);
    case 'go_back':
      return (await page.back()) ? undefined : 'no page to go back to';
    case 'go_forward':
      return (await page.forward()) ? undefined : 'no page to go forward to';
    case 'reload':
      return done(page.reload());
    case 'new_tab':
    case 'tab_close':
    case 'tab_focus': {
      if (!hands.manyTabs) return 'this site has one tab; the option `tabs` offers more';
      if (name === 'tab_focus') return tabs.focus(values.index as number);
      return name === 'new_tab' ? tabs.open() : tabs.close();
    }
    case 'accept_dialog':
      return void hands.answerNextDialog({ accept: true, text });
    case 'dismiss_dialog':
      return void hands.answerNextDialog({ accept: false });
    case 'noop': {
      const wait = Math.max(0, Math.min(MAX_WAIT, values.wait_ms as number));
      return done(page.pause(wait));
    }
    case 'send_msg_to_user':
      return void hands.said('answer', text);
    default:
      return void hands.said('infeasible', text);
  }
}

const done = async (work: Promise<unknown>): Promise<undefined> => void (await work);

const gone = (mark: number) => `unknown element ${mark}`;

const unknownOr = (reason: string | null, mark: number) => (reason === null ? gone(mark) : reason || undefined);

/** Finds where a click reaches an element, after scrolling to it; says what is in the way. */
async function onElement(page: BrowserPage, mark: number, act: (place: Place) => Outcome): Outcome {
  const found = await page.inspect<Located | null>(locateElement(mark));
  if (!found) return gone(mark);
  if (found.disabled) return `element ${mark} is disabled`;
  if (found.covered) return `element ${mark} is covered by ${found.covered}`;
  return found.point ? act(found.point) : `element ${mark} cannot be seen`;
}

interface Press {
  readonly button: MouseButton;
  readonly modifiers: readonly string[];
  readonly count?: number;
}

async function clickAt(page: BrowserPage, [x, y]: Place, { button, modifiers, count = 1 }: Press): Outcome {
  const plain = button === 'left' && modifiers.length === 0 && count === 1;
  if (plain) return done(page.click(x, y));
  const keys = modifiers.map((name) => (name === 'ControlOrMeta' ? 'Control' : name) as KeyInput);
  return done(
    page.act(async () => {
      const { keyboard, mouse } = page.page;
      for (const key of keys) await keyboard.down(key);
      await mouse.click(x, y, { button, count });
      for (const key of keys.toReversed()) await keyboard.up(key);
    }),
  );
}

const moveTo = (page: BrowserPage, [x, y]: Place): Outcome => done(page.act(() => page.page.mouse.move(x, y)));

function drag(page: BrowserPage, [fromX, fromY]: Place, [toX, toY]: Place): Outcome {
  return done(
    page.act(async () => {
      const { mouse } = page.page;
      await mouse.move(fromX, fromY);
      await mouse.down();
      await mouse.move(toX, toY, { steps: 5 }); // a drag starts after a few pixels
      await mouse.up();
    }),
  );
}

async function check(page: BrowserPage, mark: number, wanted: boolean): Outcome {
  const before = await page.inspect<Located | null>(locateElement(mark));
  if (before?.checked === wanted) return undefined;
  const reason = await onElement(page, mark, (place) => clickAt(page, place, { button: 'left', modifiers: [] }));
  if (reason !== undefined) return reason;
  const after = await page.inspect<Located | null>(locateElement(mark));
  return after && after.checked !== wanted ? `element ${mark} stays ${wanted ? 'un' : ''}checked` : undefined;
}

async function fill(page: BrowserPage, mark: number, value: string): Outcome {
  const prepared = await page.inspect<string | null>(prepareFill(mark, value));
  if (prepared === 'set') return undefined;
  if (prepared !== 'typed') return prepared === null ? gone(mark) : `element ${mark}: ${prepared}`;
  const { keyboard } = page.page;
  await page.act<unknown>(() => (value === '' ? keyboard.press('Delete') : keyboard.sendCharacter(value)));
  // A field may refuse characters, e.g. letters in a number.
  const held = await page.inspect<string | null>(fieldValue(mark));
  return value !== '' && held === ''
    ? `element ${mark} does not take ${JSON.stringify(value.slice(0, 40))}`
    : undefined;
}

async function focus(page: BrowserPage, mark: number): Outcome {
  const focused = await page.inspect<boolean | null>(focusElement(mark));
  if (focused === null) return gone(mark);
  return focused ? undefined : `element ${mark} takes no focus`;
}

async function withKeys(text: string, act: (keys: KeyCombination) => Promise<unknown>): Outcome {
  const keys = readKeys(text);
  return typeof keys === 'string' ? keys : done(act(keys));
}

function pressKeys(page: BrowserPage, text: string): Outcome {
  return withKeys(text, ({ modifiers, key }) =>
    page.act(async () => {
      const { keyboard } = page.page;
      for (const name of modifiers) await keyboard.down(name as KeyInput);
      await keyboard.press(key as KeyInput);
      for (const name of modifiers.toReversed()) await keyboard.up(name as KeyInput);
    }),
  );
}

async function upload({ tabs, fileAt }: SiteHands, mark: number, names: readonly string[]): Outcome {
  const paths = names.map(fileAt);
  const missing = names.find((_, index) => paths[index] === undefined);
  if (missing !== undefined) return `the task has no file ${JSON.stringify(missing.slice(0, 80))}`;
  const reason = await tabs.page.inspect<string | null>(checkFileInput(mark, names.length));
  if (reason !== '') return reason === null ? gone(mark) : `element ${mark}: ${reason}`;
  return done(tabs.page.giveFiles(elementItself(mark), paths as string[]));
}

async function scroll(page: BrowserPage, x: number, y: number, mark: number | null): Outcome {
  if (mark !== null) {
    const reason = await onElement(page, mark, (place) => moveTo(page, place));
    if (reason !== undefined) return reason;
  }
  const within = (pixels: number) => Math.max(-MAX_SCROLL, Math.min(MAX_SCROLL, pixels));
  return done(page.act(() => page.page.mouse.wheel({ deltaX: within(x), deltaY: within(y) })));
}
