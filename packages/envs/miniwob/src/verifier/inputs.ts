/** Inputs that mean the same here and through Selenium: a click at pixels, a key, a typed text. */
import type { Generator } from '@vlgym/core';
import type { SiteElement } from '@vlgym/site';
import type { MiniWoBInfo } from '../env/info.js';
import { HEIGHT, type MiniWoBObservation, WIDTH } from '../env/observation.js';

/** Kinds by the names of the original's action types, with its names of keys. */
export type Input =
  | readonly [kind: 'CLICK_COORDS', place: readonly [x: number, y: number]]
  | readonly [kind: 'PRESS_KEY', key: 'C-a']
  | readonly [kind: 'TYPE_TEXT', text: string];

/** An expression of the page: tags, texts and values of its elements, as the original's Python lists them. */
export const PAGE_ELEMENTS = `(() => {
  const rows = [];
  const walk = ({ tag, text, value, children }) => {
    const isText = children.length > 0 && children.every((child) => child.tag === 't');
    const said = isText ? children.map((child) => child.text).join(' ') : (text ?? '');
    rows.push([tag.toLowerCase(), said.slice(0, 256), value === true ? 'True' : String(value || '').slice(0, 256)]);
    if (!isText) children.forEach(walk);
  };
  walk(core.getDOMInfo());
  return rows.slice(0, 60);
})()`;

/** The input as a call of ours. */
export function writtenCall([kind, value]: Input): string {
  if (kind === 'CLICK_COORDS') return `mouse_click(${value[0]}, ${value[1]})`;
  return kind === 'PRESS_KEY' ? "keyboard_press('Control+a')" : `keyboard_type(${JSON.stringify(value)})`;
}

/** The expert's call as inputs; `undefined` if it is another kind of call, or its element is not in the picture. */
export function inputsOf(call: string, elements: readonly SiteElement[]): Input[] | undefined {
  const [, name, mark, text] = /^(click|fill)\('(\d{1,4})'(?:, ("[^\n]*"))?\)$/.exec(call) ?? [];
  const element = elements.find((each) => String(each.mark) === mark);
  const place = element && placeOf(element);
  if (!place) return undefined;
  if (name === 'click') return [['CLICK_COORDS', place]];
  // a field of dates is typed in the order of the browser's language
  if (element.type === 'date' || element.type === 'time') return undefined;
  const said = JSON.parse(text!) as string;
  return [
    ['CLICK_COORDS', place],
    ['PRESS_KEY', 'C-a'],
    ['TYPE_TEXT', said],
  ];
}

/** A click on an element or anywhere, or a text of the instruction. */
export function drawInput({ elements }: MiniWoBObservation, { instruction }: MiniWoBInfo, random: Generator): Input {
  const places = elements.map(placeOf).filter((place) => place !== undefined);
  const kind = random.integers(8);
  if (kind === 0) return ['CLICK_COORDS', [random.integers(WIDTH), random.integers(50, HEIGHT)]];
  if (kind === 1) return ['TYPE_TEXT', random.choice(instruction.split(/[^A-Za-z0-9]+/).filter(Boolean))];
  return places.length === 0 ? ['CLICK_COORDS', [80, 130]] : ['CLICK_COORDS', random.choice(places)];
}

/** The middle of what can be clicked. A list of choices opens a window of the browser's, which has no pixels of the page. */
function placeOf({ box: [x, y, width, height], visible, covered, disabled, role }: SiteElement) {
  if (!visible || covered !== undefined || disabled || role === 'combobox') return undefined;
  const place = [Math.round(x + width / 2), Math.round(y + height / 2)] as const;
  return place[0] >= 0 && place[0] < WIDTH && place[1] >= 0 && place[1] < HEIGHT ? place : undefined;
}
