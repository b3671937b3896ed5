import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { goldenCatalog, rawCatalog } from '../../test-support/golden.js';
import { WebShopEnv } from '../env/text-env.js';
import { generateCatalog } from '../generator/generate-catalog.js';
import { generateProducts } from '../generator/generated-store.js';
import { indexProducts } from '../search/build-index.js';
import { cleanPrice } from './clean-product.js';
import { openCatalog } from './disk-catalog.js';
import { importCatalog } from './import-catalog.js';
import { jsonEntries } from './json-stream.js';
import { MemoryStore } from './memory-store.js';
import { loadCatalog } from './read-raw.js';

let home = '';
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'vlgym-webshop-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

const row = (asin: string, extra: object = {}) => ({
  asin,
  name: 'Soft Rug',
  full_description: '',
  pricing: '$9.99',
  images: ['x'],
  product_category: 'Home',
  small_description: [],
  customization_options: null,
  category: 'garden',
  query: ' Rugs ',
  ...extra,
});

describe('prices', () => {
  it.each([
    [null, [100], '$100.0'],
    ['', [100], '$100.0'],
    [[], [100], '$100.0'],
    [false, [100], '$100.0'],
    ['$9.99', [9.99], '$9.99'],
    ['$1,299.00', [1299], '$1299.0'],
    ['from $15.00 to $18.00 or $30', [15, 18], '$15.0 to $18.0'],
  ])('reads %j', (raw, pricing, price) => expect(cleanPrice(raw)).toEqual({ pricing, price }));

  it.each(['free', '$', '$1.2.3', 5])('cannot read %j', (raw) => expect(() => cleanPrice(raw)).toThrow());
});

describe('broken rows', () => {
  it('are skipped, counted, and named; of two with the same asin the first is kept', () => {
    const rows = [
      row('A', { name: 'First' }),
      row('A', { name: 'Second' }),
      null,
      'text',
      {},
      row('B', { name: 5 }),
      row('C', { customization_options: { color: [{ image: 'x' }] } }),
      row('D', { small_description: [1] }),
      row('E', { pricing: 'call us' }),
      row('nan'),
      row('F', { customization_options: { Size: null, Color: [{ value: ' A1 / Tan ' }], COLOR: [{ value: 'Red' }] } }),
      row('A'),
    ];
    const { products, report } = loadCatalog({ products: rows });
    expect(products.map(({ asin, title }) => [asin, title])).toEqual([
      ['A', 'First'],
      ['F', 'Soft Rug'],
    ]);
    expect(products[1]!.options).toEqual([{ name: 'color', values: ['red'] }]);
    expect(Object.keys(products[1]!.optionImages)).toEqual(['a1  |  tan', 'red']);
    expect(report).toMatchObject({
      rows: 12,
      products: 2,
      skipped: { 'asin seen before': 2, 'not an object': 2, 'no asin': 1 },
    });
    expect(report.examples.find(({ asin }) => asin === 'E')).toEqual({
      row: 8,
      asin: 'E',
      reason: 'pricing has no dollar sign',
    });
  });

  it('are not those with fields that are falsy in Python', () => {
    const nothing = [[], {}, '', false, 0, null, undefined];
    const rows = nothing.map((customization_options, index) => row(`A${index}`, { customization_options, images: [] }));
    const human = Object.fromEntries(nothing.map((value, index) => [`A${index}`, value])) as never;
    const { products } = loadCatalog({ products: rows, human, attributes: human, nouns: { 'Soft Rug': [] } });
    expect(products).toHaveLength(nothing.length);
    for (const { options, nouns, attributes } of products) {
      expect([options, nouns, attributes]).toEqual([[], undefined, ['DUMMY_ATTR']]);
    }
  });

  it('include options and attributes that rewards could only compare for minutes', () => {
    const long = 'x'.repeat(4001);
    const rows = [row('A', { customization_options: { size: [{ value: long }] } }), row('B')];
    const attributes = { B: { attributes: [long] } };
    const { report } = loadCatalog({ products: rows, attributes } as never);
    expect(report).toMatchObject({
      products: 0,
      skipped: {
        'an option is longer than 4000 characters': 1,
        'an entry of attributes is longer than 4000 characters': 1,
      },
    });
  });

  it.each([
    [{ human: { A: { instruction: 'x' } } }, 'the instructions of people are not a list'],
    [{ attributes: { A: ['soft'] } }, 'the attribute record is not a map'],
    [{ attributes: { A: { attributes: 'soft' } } }, 'attributes is not a list of texts'],
    [{ attributes: { A: { instruction: 5 } } }, 'the instruction of the attribute record is not a text'],
    [{ nouns: { 'Soft Rug': 'rug' } }, 'nouns is not a list of texts'],
    [{ nouns: { 'Soft Rug': [1] } }, 'nouns is not a list of texts'],
  ])('include records of the wrong shape: %j', (records, reason) => {
    const { report } = loadCatalog({ products: [row('A')], ...records } as never);
    expect(report).toMatchObject({ products: 0, skipped: { [reason]: 1 } });
  });

  it('are not those with one bad instruction, which is counted and named separately', () => {
    const human = { A: [{ instruction: null }, { instruction: 'a rug', instruction_attributes: ['soft'] }] };
    const { products, report } = loadCatalog({ products: [row('A')], human } as never);
    expect(products[0]!.instructions).toEqual([{ instruction: 'a rug', attributes: ['soft'], options: [] }]);
    expect(report.examples).toEqual([{ row: 0, asin: 'A', reason: 'instruction left out: it is not a text' }]);
  });

  it('are named even after hundreds of repeated asins', () => {
    const { report } = loadCatalog({
      products: [...Array.from({ length: 300 }, () => row('A')), row('B', { name: 5 })],
    });
    expect(report.examples.at(-1)).toEqual({ row: 300, asin: 'B', reason: 'name is not a text' });
    expect(report.examples.length).toBeLessThan(50);
  });

  it('do not reserve their asin: a later good row is kept', () => {
    const { products } = loadCatalog({ products: [row('A', { name: null }), row('A')] });
    expect(products).toHaveLength(1);
  });
});

describe('a huge JSON file', () => {
  const read = async (text: string) => {
    const path = join(home, 'stream.json');
    await writeFile(path, text);
    const entries = [];
    for await (const entry of jsonEntries(path)) entries.push(entry.problem ?? [entry.key, entry.value]);
    return entries;
  };

  it.each([
    ['[]', []],
    [
      '[1, "a,]}\\"", {"b": [2, 3]}]',
      [
        [undefined, 1],
        [undefined, 'a,]}"'],
        [undefined, { b: [2, 3] }],
      ],
    ],
    [
      '\ufeff {"k:1": [1], "é": {"x": "}"}}',
      [
        ['k:1', [1]],
        ['é', { x: '}' }],
      ],
    ],
    ['[{"a": NaN, "b": "NaN", "c": -Infinity}]', [[undefined, { a: null, b: 'NaN', c: null }]]],
    ['[1, {x}, 2]', [[undefined, 1], 'not JSON', [undefined, 2]]],
  ])('%s is read entry by entry', async (text, entries) => expect(await read(text)).toEqual(entries));

  it('is read equally in every chunking', async () => {
    const long = Array.from({ length: 3000 }, (_, index) => ({ text: `"${'é'.repeat(index % 700)}\\` }));
    expect((await read(JSON.stringify(long))).map((entry) => (entry as unknown[])[1])).toEqual(long);
  });

  it.each(['', '[1, 2', '{"a": ', 'hello'])('that is incomplete (%j) is refused', async (text) => {
    await expect(read(text)).rejects.toMatchObject({ code: 'JSON_FORMAT', hint: expect.any(String) });
  });
});

describe('a catalog on disk', () => {
  it('equals the original files, and searches as in memory', async () => {
    const { products, attributes, human } = rawCatalog();
    const folder = join(home, 'imported');
    const paths = { products: join(home, 'p.json'), attributes: join(home, 'a.json'), human: join(home, 'h.json') };
    await writeFile(paths.products, JSON.stringify([...products, 'broken']));
    await writeFile(paths.attributes, JSON.stringify(attributes));
    await writeFile(paths.human, JSON.stringify(human));
    const report = await importCatalog(paths, folder);
    expect(report).toMatchObject({ rows: 201, products: 197, skipped: { 'not an object': 1 } });

    const memory = loadCatalog({ products, attributes: attributes!, human: human! }).products;
    const { store, index } = openCatalog(folder);
    const stored = memory.map((_, position) => store.at(position));
    expect(stored).toEqual(JSON.parse(JSON.stringify(memory)));
    for (const [position, { asin }] of memory.entries()) expect(store.find(asin)).toBe(position);
    for (const asin of ['', 'B0', 'zzz', 'B0TOOLONG1234']) expect(store.find(asin)).toBe(-1);
    const whole = indexProducts(new MemoryStore(memory));
    for (const query of ['red sofa', 'soft rug for women', 'xyz'])
      expect(index.search(query)).toEqual(whole.search(query));
    store.close();

    const options = { goals: 'human' as const, observationMode: 'text' as const };
    const [disk, ram] = [new WebShopEnv({ ...options, catalog: { folder } }), goldenCatalog()];
    expect(disk.shop.goals.map(({ instruction }) => instruction)).toEqual(
      new WebShopEnv(
        options,
        new (disk.shop.constructor as typeof import('../shop/shop.js').Shop)(ram.products, options),
      ).shop.goals.map(({ instruction }) => instruction),
    );
  });

  it('is generated equally on disk and in memory', async () => {
    const folder = join(home, 'made-up');
    const phases = new Set<string>();
    await generateCatalog(
      folder,
      { products: 300, seed: 9 },
      { workers: 0, onProgress: ({ phase }) => phases.add(phase) },
    );
    const { store } = openCatalog(folder);
    const products = generateProducts({ products: 300, seed: 9 });
    expect(products.map((_, position) => store.at(position))).toEqual(products);
    expect([...phases]).toEqual(['writing products', 'indexing', 'merging']);
    await expect(generateCatalog(folder, { products: 300 })).rejects.toMatchObject({ code: 'FOLDER_EXISTS' });
    await expect(generateCatalog(join(home, 'x'), { products: 5 })).rejects.toMatchObject({ code: 'INVALID_OPTION' });
    store.close();
  });

  it('is refused if files are missing or broken, and no partial folder is left', async () => {
    const folder = join(home, 'broken');
    await generateCatalog(folder, { products: 100 }, { workers: 0 });
    for (const [file, text] of [
      ['index.bin', 'no index'],
      ['order.bin', 'four'],
      ['catalog.json', '{'],
      ['catalog.json', '{"kind":"other"}'],
    ] as const) {
      const before = await readFile(join(folder, file));
      await writeFile(join(folder, file), text);
      expect(() => openCatalog(folder)).toThrow(expect.objectContaining({ code: expect.stringMatching(/_FORMAT$/) }));
      await writeFile(join(folder, file), before);
    }
    openCatalog(folder).store.close();
    await writeFile(join(home, 'cut.json'), '[{"asin": "A"');
    await expect(importCatalog({ products: join(home, 'cut.json') }, join(home, 'cut'))).rejects.toMatchObject({
      code: 'JSON_FORMAT',
    });
    expect((await readdir(home)).filter((name) => name.includes('part'))).toEqual([]);
  });
});
