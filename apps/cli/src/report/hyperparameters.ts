/** Every option in force, one column per algorithm; rows in which they differ come first. */
import { isRecord } from '@vlgym/core/internal';
import { html, type Markup } from './html.js';
import type { Row } from './statistics.js';

/** `{ loss: { clipLow: 0.2 } }` → `[['loss.clipLow', '0.2']]`. */
function flat(value: unknown, path: readonly string[] = []): [name: string, value: string][] {
  if (isRecord(value)) return Object.entries(value).flatMap(([key, inner]) => flat(inner, [...path, key]));
  return [[path.join('.'), JSON.stringify(value) ?? 'none']];
}

export function hyperparameters(rows: readonly Row[]): Markup | false {
  const known = rows.flatMap(({ title, runs }) => {
    const config = runs[0]?.config;
    return config === undefined ? [] : [{ title, values: new Map(flat(config)) }];
  });
  if (known.length === 0) return false;
  const names = [...new Set(known.flatMap(({ values }) => [...values.keys()]))];
  const valuesOf = (name: string) => known.map(({ values }) => values.get(name) ?? '–');
  const differs = (name: string) => new Set(valuesOf(name)).size > 1;
  const ordered = [...names.filter(differs), ...names.filter((name) => !differs(name))];
  return html`<details><summary>Hyperparameters in force (${names.length}${known.length > 1 && `, ${names.filter(differs).length} differ`})</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Hyperparameters"><table class="plain">
<thead><tr><th scope="col">option</th>${known.map(({ title }) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${ordered.map((name) => html`<tr class="${differs(name) ? '' : 'soft'}"><th scope="row"><code>${name}</code></th>${valuesOf(name).map((value) => html`<td>${value}</td>`)}</tr>`)}</tbody></table></div></details>`;
}
