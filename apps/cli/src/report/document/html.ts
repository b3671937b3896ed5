/** HTML as a tagged template that escapes everything not marked as markup. */

import { escapeHtml } from '@vlgym/core/internal';

export class Markup {
  constructor(readonly text: string) {}
  toString(): string {
    return this.text;
  }
}

type Part = Markup | string | number | false | undefined | readonly Part[];

function render(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (Array.isArray(part)) return part.map(render).join('');
  return part === undefined || part === false ? '' : escapeHtml(String(part));
}

/** `` html`<p>${anything}</p>` ``: strings are escaped, `Markup` and arrays of it are not, `false` is nothing. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Markup {
  return new Markup(strings.map((text, index) => text + (index < parts.length ? render(parts[index]) : '')).join(''));
}

/** `<h2>` for level 2. */
export const heading = (level: number, text: string) =>
  html`${new Markup(`<h${level}>`)}${text}${new Markup(`</h${level}>`)}`;
