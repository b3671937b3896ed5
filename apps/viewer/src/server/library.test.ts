/** A folder that grows while it is looked at. */
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { makeRun } from '../../test-support/make-run.js';
import { Library } from './library.js';

const home = mkdtempSync(join(tmpdir(), 'vlgym-library-'));
afterAll(() => rmSync(home, { recursive: true }));

it('a training that is judged after it was found has its episodes with the next question about it', async () => {
  const folder = join(home, 'run');
  await makeRun(folder, { seeds: [0, 1], recorded: [5] });
  mkdirSync(join(home, 'later'));
  renameSync(join(folder, 'episodes'), join(home, 'later', 'episodes'));
  const library = new Library([folder]);
  const [run] = await library.all();
  const { id } = run!.place;
  expect((await (await library.run(id))!.details([])).played).toBe(false);

  renameSync(join(home, 'later', 'episodes'), join(folder, 'episodes'));
  const judged = (await library.run(id))!;
  expect((await judged.details([])).played).toBe(true);
  expect(await judged.played!.all()).toHaveLength(2);
  expect(await library.run(id)).toBe(judged);
});
