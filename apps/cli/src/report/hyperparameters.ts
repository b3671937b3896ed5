/** Every option in force, one column per algorithm, with who set it; rows in which they differ come first. */
import { isRecord } from '@vlgym/core/internal';
import { departureText } from '../experiment/run-options.js';
import type { RunResult } from './data.js';
import { html, type Markup } from './document/html.js';
import type { Row } from './statistics.js';

/** `{ loss: { clipLow: 0.2 } }` → `[['loss.clipLow', '0.2']]`. */
function flat(value: unknown, path: readonly string[] = []): [name: string, value: string][] {
  if (isRecord(value)) return Object.entries(value).flatMap(([key, inner]) => flat(inner, [...path, key]));
  return [[path.join('.'), JSON.stringify(value) ?? 'none']];
}

export function hyperparameters(rows: readonly Row[]): Markup | false {
  const known = rows.flatMap(({ title, runs }) => {
    const { config, origins = {}, departures } = runs[0] ?? {};
    return config === undefined ? [] : [{ title, values: new Map(flat(config)), origins, departures }];
  });
  if (known.length === 0) return false;
  const names = [...new Set(known.flatMap(({ values }) => [...values.keys()]))];
  const valuesOf = (name: string) => known.map(({ values }) => values.get(name) ?? '–');
  const differs = (name: string) => new Set(valuesOf(name)).size > 1;
  const ordered = [...names.filter(differs), ...names.filter((name) => !differs(name))];
  return html`${known.map(ownOptions)}<details><summary>Hyperparameters in force (${names.length}${known.length > 1 && `, ${names.filter(differs).length} differ`})</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Hyperparameters"><table class="plain">
<thead><tr><th scope="col">option</th>${known.map(({ title }) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${ordered.map((name) => html`<tr class="${differs(name) ? '' : 'soft'}"><th scope="row"><code>${name}</code></th>${known.map(({ values, origins }) => html`<td>${values.get(name) ?? '–'}${originOf(name, origins)}</td>`)}</tr>`)}</tbody></table></div></details>`;
}

/** Whether the algorithm ran as its file says. */
function ownOptions({ title, departures }: { readonly title: string; readonly departures: RunResult['departures'] }) {
  if (!departures) return false;
  const others = departures.map(departureText).join(', ');
  return html`<p class="soft"><b>${title}</b>: ${others === '' ? 'every option is its own' : `its own options, but for ${others}`}.</p>`;
}

/** Parts of one option share its origin. */
function originOf(name: string, origins: Readonly<Record<string, string>>): Markup | false {
  const option = Object.keys(origins).find((each) => name === each || name.startsWith(`${each}.`));
  return option !== undefined && html` <span class="soft">${origins[option]}</span>`;
}
