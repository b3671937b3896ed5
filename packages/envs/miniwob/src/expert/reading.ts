/** Helpers of the plans: elements by role and name, and the texts of the accessibility tree. */
import type { SiteElement } from '@vlgym/site';
import type { Situation } from './situation.js';

export const quoted = (text: string): string => JSON.stringify(text);

export const click = (element: SiteElement | undefined): string | undefined => element && `click('${element.mark}')`;

const fill = (field: SiteElement | undefined, text: string): string | undefined =>
  field && `fill('${field.mark}', ${quoted(text)})`;

/** The element with this name, not behind another one. */
export const named = ({ observation }: Situation, name: string, role?: string): SiteElement | undefined =>
  observation.elements.find(
    (element) =>
      element.name.trim() === name && element.covered === undefined && (role === undefined || element.role === role),
  );

export const ofRole = ({ observation }: Situation, role: string): SiteElement[] =>
  observation.elements.filter((element) => element.role === role && element.covered === undefined);

export const submit = (situation: Situation): string | undefined => click(named(situation, 'Submit', 'button'));

/** The texts in quotation marks of the instruction. */
export const quotes = ({ instruction }: Situation): string[] =>
  [...instruction.matchAll(/"([^"]*)"/g)].map(([, text]) => text!);

/** The place that the instruction names, from 0: `the 2nd textbox` is 1. */
export const ordinal = ({ instruction }: Situation): number =>
  Number(/(\d{1,2})(?:st|nd|rd|th)/.exec(instruction)?.[1] ?? 1) - 1;

/** Names of the nodes of a role in the accessibility tree, in order. */
export function textsOf({ observation }: Situation, role: string): string[] {
  const lines = observation.accessibility.split('\n').map((line) => line.trim());
  return lines.flatMap((line) => {
    if (!line.startsWith(`${role} "`)) return [];
    const [, name] = /^\w+ ("(?:[^"\\]|\\.)*")/.exec(line) ?? [];
    return name === undefined ? [] : [JSON.parse(name) as string];
  });
}

/** Rows of two cells, as names and values. */
export function tableOf(situation: Situation): ReadonlyMap<string, string> {
  const cells = textsOf(situation, 'cell');
  return new Map(cells.flatMap((name, index) => (index % 2 === 0 ? [[name, cells[index + 1] ?? '']] : [])));
}

/** Fills the fields that hold something else, then does the last thing. */
export function fillThen(
  situation: Situation,
  texts: readonly string[],
  last: string | undefined,
  fields: readonly SiteElement[] = ofRole(situation, 'textbox'),
): string | undefined {
  const wrong = texts.findIndex((text, index) => {
    const { type, value = '' } = fields[index] ?? {};
    return type === 'password' ? value.length !== text.length : value !== text;
  });
  return wrong === -1 ? last : fill(fields[wrong], texts[wrong]!);
}
