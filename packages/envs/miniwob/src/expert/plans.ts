/** The plans of the expert, by task. */
import { click, fillThen, named, ofRole, ordinal, quoted, quotes, submit, tableOf, textsOf } from './reading.js';
import type { Situation } from './situation.js';

type Plan = (situation: Situation) => string | undefined;

const quotedButton: Plan = (situation) => click(named(situation, quotes(situation)[0] ?? '', 'button'));

/** `Click button ONE, then click button TWO.` */
const namedButtons: Plan = (situation) => {
  const names = [...situation.instruction.matchAll(/button (\w+)/g)].map(([, name]) => name!);
  return click(named(situation, names[situation.actions.length] ?? ''));
};

/** `Select A, B and click Submit.` */
const boxes: Plan = (situation) => {
  const [, list = ''] = /^Select (.+) and click Submit/.exec(situation.instruction) ?? [];
  const wanted = list === 'nothing' ? [] : list.split(', ');
  const wrong = ofRole(situation, 'checkbox').find(({ name, checked }) => wanted.includes(name.trim()) !== checked);
  return wrong ? click(wrong) : submit(situation);
};

/** `Select A, B from the list and click Submit.` */
const list: Plan = (situation) => {
  const [, names] = /^Select (.+) from the (?:scroll )?list/.exec(situation.instruction) ?? [];
  const [shown] = ofRole(situation, 'combobox');
  if (names === undefined || !shown) return undefined;
  const wanted = names.split(', ');
  const { selected = [] } = shown;
  const isChosen = selected.length === wanted.length && wanted.every((name) => selected.includes(name));
  return isChosen ? submit(situation) : `select_option('${shown.mark}', [${wanted.map(quoted).join(', ')}])`;
};

/** Looks for the link in one part after another. */
const search: Plan = (situation) => {
  const found = named(situation, quotes(situation)[0] ?? '');
  if (found?.visible) return click(found);
  const parts = ofRole(situation, 'tab');
  const closed = parts.filter(({ expanded }) => expanded !== true);
  const isOpening = situation.actions.at(-1)?.startsWith('click') && closed.length === parts.length;
  if (isOpening) return 'noop(500)'; // it unfolds
  const clicks = situation.actions.filter((action) => action.startsWith('click')).length;
  const first = closed.length === parts.length ? 0 : 1;
  return click(parts[(clicks + first) % parts.length]);
};

const unfold: Plan = (situation) => {
  const [section] = ofRole(situation, 'tab');
  if (section?.expanded === false) return click(section);
  return situation.actions.length === 1 ? 'noop(500)' : submit(situation);
};

const WIDGETS: Readonly<Record<string, (role: string, type?: string) => boolean>> = {
  button: (role) => role === 'button',
  checkbox: (role) => role === 'checkbox',
  radio: (role) => role === 'radio',
  text: (role, type) => role === 'textbox' && type === 'text',
  textarea: (role, type) => role === 'textbox' && type === undefined,
};

const widget: Plan = (situation) => {
  const isWanted = WIDGETS[quotes(situation)[0] ?? ''];
  return click(situation.observation.elements.find(({ role, type }) => isWanted?.(role, type)));
};

const date: Plan = (situation) => {
  const [, month, day, year] = /(\d\d)\/(\d\d)\/(\d{4})/.exec(situation.instruction) ?? [];
  return year === undefined ? undefined : fillThen(situation, [`${year}-${month}-${day}`], submit(situation));
};

const time: Plan = (situation) => {
  const [, hour, minute, half] = /(\d{1,2}):(\d\d) ([AP]M)/.exec(situation.instruction) ?? [];
  if (half === undefined) return undefined;
  const hours = (Number(hour) % 12) + (half === 'PM' ? 12 : 0);
  return fillThen(situation, [`${String(hours).padStart(2, '0')}:${minute}`], submit(situation));
};

const word: Plan = (situation) => {
  // after the instruction in three pieces, before what the field holds
  const [, , , paragraph = ''] = textsOf(situation, 'StaticText');
  const found = paragraph.split(/\s+/)[ordinal(situation)]?.replace(/[.,]{1,3}$/, '');
  return found === undefined ? undefined : fillThen(situation, [found], submit(situation));
};

const letters: Plan = (situation) => {
  const [, ...shown] = textsOf(situation, 'StaticText');
  return fillThen(situation, [shown.filter((text) => [...text].length === 1).join('')], submit(situation));
};

const spinner: Plan = (situation) => {
  const [number] = /-?\d+/.exec(situation.instruction) ?? [];
  return number === undefined ? undefined : fillThen(situation, [number], submit(situation));
};

const tableValue: Plan = (situation) => {
  const [, name = ''] = /value of ([^.]{1,40}) into/.exec(situation.instruction) ?? [];
  return fillThen(situation, [tableOf(situation).get(name) ?? ''], submit(situation));
};

const tableValues: Plan = (situation) => {
  const table = tableOf(situation);
  const labels = textsOf(situation, 'StaticText').filter((text) => text.endsWith(':'));
  return fillThen(
    situation,
    labels.map((label) => table.get(label.slice(0, -1)) ?? ''),
    submit(situation),
  );
};

const arithmetic: Plan = (situation) => {
  const problem = textsOf(situation, 'StaticText').join('\n');
  const [, left, sign, right] = /(-?\d{1,4}) ([-+*x×]) (-?\d{1,4}) =/.exec(problem) ?? [];
  if (right === undefined) return undefined;
  const [a, b] = [Number(left), Number(right)];
  const answer = sign === '+' ? a + b : sign === '-' ? a - b : a * b;
  return fillThen(situation, [String(answer)], submit(situation));
};

const algebra: Plan = (situation) => {
  const problem = textsOf(situation, 'StaticText').join('\n');
  const [, left, sign, right, result] = /(x|-?\d{1,4}) ([-+]) (x|-?\d{1,4}) = (-?\d{1,4})/.exec(problem) ?? [];
  if (result === undefined) return undefined;
  const sum = Number(result);
  const answer =
    sign === '+' ? sum - Number(left === 'x' ? right : left) : left === 'x' ? sum + Number(right) : Number(left) - sum;
  return fillThen(situation, [String(answer)], submit(situation));
};

const copy: Plan = (situation) => {
  const fields = ofRole(situation, 'textbox');
  const text = fields.filter(({ type }) => type === undefined)[ordinal(situation)]?.value;
  const target = fields.filter(({ type }) => type === 'text');
  // a field of one line has no line feeds
  return text === undefined ? undefined : fillThen(situation, [text.replace(/\n/g, '')], submit(situation), target);
};

export const PLANS: Readonly<Record<string, Plan>> = {
  'click-test': (situation) => click(ofRole(situation, 'button')[0]),
  'click-test-2': namedButtons,
  'click-test-transfer': namedButtons,
  'click-button-sequence': namedButtons,
  'click-button': quotedButton,
  'unicode-test': quotedButton,
  'click-dialog': (situation) => click(named(situation, 'Close')),
  'click-dialog-2': (situation) => {
    const [name = ''] = quotes(situation);
    return click(named(situation, name === 'x' ? 'Close' : name));
  },
  'click-link': (situation) => click(named(situation, quotes(situation)[0] ?? '')),
  'click-option': (situation) => {
    const [, name = ''] = /^Select (.+) and click Submit/.exec(situation.instruction) ?? [];
    const option = named(situation, name, 'radio');
    return option?.checked === false ? click(option) : submit(situation);
  },
  'click-checkboxes': boxes,
  'click-checkboxes-large': boxes,
  'click-checkboxes-transfer': boxes,
  'click-tab': (situation) => click(named(situation, /Tab #\d+/.exec(situation.instruction)?.[0] ?? '', 'tab')),
  'click-tab-2': search,
  'click-tab-2-easy': search,
  'click-tab-2-medium': search,
  'click-tab-2-hard': search,
  'click-collapsible': unfold,
  'click-collapsible-nodelay': unfold,
  'click-collapsible-2': search,
  'click-collapsible-2-nodelay': search,
  'click-widget': widget,
  'focus-text': (situation) => click(ofRole(situation, 'textbox')[0]),
  'focus-text-2': (situation) => click(ofRole(situation, 'textbox')[ordinal(situation)]),
  'enter-text': (situation) => fillThen(situation, quotes(situation).slice(0, 1), submit(situation)),
  'enter-text-dynamic': (situation) => fillThen(situation, quotes(situation).slice(0, 1), submit(situation)),
  'enter-text-2': (situation) => {
    const [text = ''] = quotes(situation);
    const isLower = situation.instruction.includes('lower case');
    return fillThen(situation, [isLower ? text.toLowerCase() : text.toUpperCase()], submit(situation));
  },
  'enter-password': (situation) => {
    const [text = ''] = quotes(situation);
    return fillThen(situation, [text, text], submit(situation));
  },
  'login-user': (situation) => {
    return fillThen(situation, quotes(situation).slice(0, 2), click(named(situation, 'Login', 'button')));
  },
  'enter-date': date,
  'enter-time': time,
  'text-transform': letters,
  'find-word': word,
  'use-spinner': spinner,
  'choose-list': list,
  'click-scroll-list': list,
  'read-table': tableValue,
  'read-table-2': tableValues,
  'simple-arithmetic': arithmetic,
  'simple-algebra': algebra,
  'copy-paste': copy,
  'copy-paste-2': copy,
};
