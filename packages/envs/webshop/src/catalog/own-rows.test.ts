/** Products of one's own, as rows of CSV, of JSON lines, of a JSON array. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { csvRecords } from './csv.js';
import { openCatalog } from './disk-catalog.js';
import { importCatalog } from './import-catalog.js';
import type { LoadReport } from './load-report.js';
import type { Product } from './product.js';

let home = '';
let folders = 0;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'vlgym-rows-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

async function imported(name: string, text: string): Promise<{ report: LoadReport; products: Product[] }> {
  folders += 1;
  const [path, folder] = [join(home, name), join(home, `catalog ${folders}`)];
  await writeFile(path, text);
  const report = await importCatalog({ products: path }, folder, { workers: 0 });
  const { store } = openCatalog(folder);
  const products = Array.from({ length: store.size }, (_, position) => store.at(position));
  store.close();
  return { report, products };
}

const CSV = 'title;price;kind;attributes;option color\nRed Mug;"4,50";mugs;hand made|glazed;red|blue\n';
const ROW = { title: 'Red Mug', price: 4.5, kind: 'mugs', attributes: ['hand made', 'glazed'], options: { color: ['red', 'blue'] } }; // biome-ignore format: one line

describe('"not a complete JSON array, copy it again": the same product', () => {
  it.each([
    ['from a CSV file', 'own.csv', CSV],
    ['from lines of JSON', 'own.jsonl', `\n${JSON.stringify(ROW)}\n`],
    ['from a JSON array', 'own.json', JSON.stringify([ROW])],
  ])('%s', async (_, name, text) => {
    const { report, products } = await imported(name, text);
    expect(report).toEqual({ rows: 1, products: 1, skipped: {}, examples: [] });
    expect(products[0]).toMatchObject({
      asin: 'P000001',
      title: 'Red Mug',
      pricing: [4.5],
      options: [{ name: 'color', values: ['red', 'blue'] }],
      attributes: ['hand made', 'glazed'],
      query: 'mugs',
      instructions: [
        {
          instruction: 'I am looking for mugs: Red Mug with color: red',
          attributes: ['hand made', 'glazed'],
          options: ['red'],
        },
      ],
    });
  });

  it('is refused by name where a file has another ending', async () => {
    await expect(imported('own.json', CSV)).rejects.toMatchObject({
      code: 'JSON_FORMAT',
      hint: expect.stringContaining('.csv'),
    });
  });
});

it('broken rows are named, and missing photographs', async () => {
  const csv = 'title,price,photo\n,1,\nMug,cheap,\nCup,1 - 2,no.png\nBowl,$3,https://elsewhere.invalid/bowl.png\n';
  const { report, products } = await imported('broken.csv', csv);
  expect(report).toMatchObject({
    rows: 4,
    products: 2,
    drawn: 1,
    skipped: { 'title is empty': 1, 'price cannot be read': 1, 'photo left out: no.png cannot be read': 1 },
  });
  expect(products.map(({ pricing, mainImage }) => [pricing, mainImage])).toEqual([
    [[1, 2], null],
    [[3], 'https://elsewhere.invalid/bowl.png'],
  ]);
  const { report: misspelled } = await imported('columns.csv', 'title,prize\nMug,1\n').catch((error) => error);
  expect(Object.keys(misspelled.skipped)[0]).toContain('unknown column "prize"');
});

describe('CSV', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'é') });
  const read = async (text: string) => {
    const path = join(home, 'table.csv');
    await writeFile(path, text);
    const records = [];
    for await (const record of csvRecords(path)) records.push(record);
    return records;
  };

  it('reads what is written by the rules of RFC 4180', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell), { maxLength: 5 }), async (rows) => {
        const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const lines = rows.map((row) => row.map(quoted).join(','));
        expect(await read(['a,b', ...lines].join('\n'))).toEqual(rows.map(([a, b]) => ({ a, b })));
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['a,b\n1,2,3\n', /line 3 has 3 cells for 2 columns/],
    ['a,a\n', /two columns "a"/],
    ['a\n"1', /does not end/],
    ['', /is empty/],
  ])('refuses %j', async (text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });
});
