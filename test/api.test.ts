/**
 * The public interface of every package, as committed in `docs/api`. A change of an export is a change of these files:
 * `npm run api` writes them.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { apiReports } from './support/api-report.js';
import { publicPackages, ROOT } from './support/workspaces.js';

const folder = join(ROOT, 'docs/api');
const committed = existsSync(folder) ? readdirSync(folder) : [];
const reports = apiReports(publicPackages);

it('every package with exports has a report, and nothing else has', () => {
  expect([...reports.keys()].map((name) => `${name}.txt`).sort()).toEqual(committed.sort());
});

it.each([...reports])(
  '%s exports what its report lists (run `npm run api` after a change on purpose)',
  async (name, text) => {
    await expect(text).toMatchFileSnapshot(join(folder, `${name}.txt`));
  },
);

it('no report has an export that could not be resolved', () => {
  const unresolved = [...reports].filter(([, text]) => text.includes(': external'));
  expect(unresolved.map(([name]) => name)).toEqual([]);
});
