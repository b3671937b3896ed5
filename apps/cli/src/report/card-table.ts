/** A table that becomes one card per row on a phone: every value keeps its title. */
import { html, type Markup } from './document/html.js';

export interface CardRow {
  readonly name: string;
  /** Class of the row's color. */
  readonly color?: string;
  /** One for each title but the first. */
  readonly values: readonly string[];
}

/**
 * @param titles  The first is of the rows' names; `says` holds sentences.
 * @param hrefOf  Where a title leads, if anywhere.
 */
export function cardTable(
  titles: readonly string[],
  rows: readonly CardRow[],
  hrefOf: (title: string) => string | undefined = () => undefined,
): Markup {
  const linked = (title: string) => (hrefOf(title) ? html`<a href="${hrefOf(title)!}">${title}</a>` : title);
  const kind = (title: string) => (title === 'says' ? 'wrap' : '');
  return html`<div class="scroll" tabindex="0"><table class="cards">
<thead><tr>${titles.map((title) => html`<th scope="col" class="${kind(title)}">${linked(title)}</th>`)}</tr></thead>
<tbody>${rows.map(
    ({ name, color = '', values }) =>
      html`<tr><th scope="row" class="${color}">${name}</th>${values.map((value, index) => html`<td class="${kind(titles[index + 1]!)}" data-label="${titles[index + 1]}">${value}</td>`)}</tr>`,
  )}</tbody></table></div>`;
}
