import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CellsFile, type FinishedRun, readCells } from './cells.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vlgym-cells-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const committed = fileURLToPath(new URL('../../../../../docs/claims/teacher/cells.json', import.meta.url));

/** Reads the committed cells of `teacher` with a changed text. */
async function reading(change: (text: string) => string) {
  await writeFile(join(folder, 'cells.json'), change(await readFile(committed, 'utf8')));
  return readCells(folder);
}

/** With a changed first run. */
const readingRun = (change: (run: FinishedRun, file: CellsFile) => object) =>
  reading((text) => {
    const file = JSON.parse(text) as CellsFile;
    const [first, ...rest] = file.runs as FinishedRun[];
    return JSON.stringify({ ...file, runs: [{ ...first!, ...change(first!, file) }, ...rest] });
  });

const measured = (change: object) => (run: FinishedRun) => ({ measures: { ...run.measures, ...change } });

describe('cells', () => {
  it.each<[string, (run: FinishedRun, file: CellsFile) => object, string]>([
    ['the same attempts again', ({ cells }) => ({ cells: [...cells, ...cells] }), 'cells'],
    [
      'an episode that counts as another attempt',
      ({ cells }) => ({ cells: [...cells, { ...cells[0]!, attempt: cells.length }] }),
      'cells',
    ],
    ['a gap above 1', measured({ 'teacher-gap': 55 }), 'measures.teacher-gap'],
    ['a gap below -1', measured({ 'teacher-thought-gap': -1.01 }), 'measures.teacher-thought-gap'],
    ['a slope above 1', measured({ 'late-slope': 1.01 }), 'measures.late-slope'],
    ['an area above 1', measured({ area: 1.01 }), 'measures.area'],
    ['a self-BLEU below 0', measured({ 'self-bleu': -0.01 }), 'measures.self-bleu'],
    ['a share of thoughts above 1', measured({ 'distinct-thoughts': 1.01 }), 'measures.distinct-thoughts'],
    ['a time whose sums are infinite', measured({ 'cpu-seconds': 1e308 }), 'measures.cpu-seconds'],
    ['a negative time', () => ({ wallSeconds: -1 }), 'wallSeconds'],
    ['another warm start than that of its block', () => ({ warmStart: 99 }), 'block'],
    ['another seed than that of its block', () => ({ seed: 99 }), 'block'],
    ['settings that are not there', () => ({ config: 'constructor' }), 'config'],
    ['a machine that is not there', (_, { machines }) => ({ machine: machines.length }), 'machine'],
  ])('are refused with %s, and where it is', async (_, change, where) => {
    await expect(readingRun(change)).rejects.toMatchObject({
      code: 'CELLS_INVALID',
      message: expect.stringContaining(`does not hold cells: runs.0.${where}.`),
      expected: expect.stringMatching(/./),
    });
  });

  it('are refused with an infinite measure', async () => {
    const infinite = reading((text) => text.replace(/"sight":[\d.e-]+/, '"sight":-1e999'));
    await expect(infinite).rejects.toMatchObject({ code: 'CELLS_INVALID', value: Number.NEGATIVE_INFINITY });
  });

  it('of a failed run are refused in a block of another seed', async () => {
    const failed = ({ world, arm, block, warmStart }: FinishedRun) => ({
      ...{ world, arm, block, warmStart, seed: 99, status: 'failed', error: 'killed' },
    });
    const file = reading((text) => {
      const data = JSON.parse(text) as CellsFile;
      const [first, ...rest] = data.runs as FinishedRun[];
      return JSON.stringify({ ...data, runs: [failed(first!), ...rest] });
    });
    await expect(file).rejects.toMatchObject({ code: 'CELLS_INVALID', value: expect.any(String) });
  });

  it('are read as they were written', async () => {
    const found = await reading((text) => text);
    expect(found!.file).toEqual(JSON.parse(await readFile(committed, 'utf8')));
  });
});
