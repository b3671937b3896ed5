/** `vlgym webshop`: the original's product files, or other products, made into a catalog, once. */
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ImportSources, importCatalog, type LoadReport, type Progress } from '@vlgym/webshop';
import { z } from 'zod';
import { defineCommand, UsageError } from '../../command-line/command.js';
import type { CommandGroup } from '../../command-line/command-entry.js';
import { Phases } from '../../terminal/phases.js';
import { table } from '../../terminal/style.js';

/** How the original names its files; what follows names the size: `items_shuffle_1000.json`. */
const STARTS = { products: 'items_shuffle', attributes: 'items_ins_v2', human: 'items_human_ins' } as const;
const UNITS: Readonly<Record<Progress['phase'], string>> = {
  'reading attributes': 'records',
  'reading instructions': 'records',
  'reading nouns': 'titles',
  reading: 'rows',
  'writing products': 'products',
  indexing: 'products',
  merging: 'parts',
};

const importCommand = defineCommand({
  name: 'webshop import',
  summary: 'make a catalog out of your products, or the original’s files',
  description:
    'WebShop’s products belong to their sellers and cannot be shipped. Who has the files (items_shuffle.json, items_ins_v2.json, items_human_ins.json, or the small ones with _1000 in their names) imports them once: rows are cleaned as the original cleans them, and an index is built on all cores. Products then stay on disk. Rows that cannot be used are skipped, counted and named: the first of each reason, by row number from 0. Your products come from one file instead: CSV with a header, lines of JSON, or a JSON array, with the columns title, id, price, photo, description, features, category, department, kind, attributes, instruction, and "option NAME" for each group of options. Lists are separated by |. A photo is a file next to the products or a data URL; it is copied into the catalog and shown in the shop.',
  positional: 'folder',
  options: z.object({
    folder: z
      .string()
      .optional()
      .describe('folder with the files of the original, or a file of your products; not needed with --products'),
    to: z.string().optional().describe('folder of the catalog, new or empty; default: catalog in the same folder'),
    products: z.string().optional().describe('file of your products, or one of several of the original'),
    attributes: z.string().optional().describe('file of the attributes and instructions'),
    human: z.string().optional().describe('file of the instructions that people wrote'),
    nouns: z
      .string()
      .optional()
      .describe('JSON object from title to nouns, for the reward word by word as the original'),
    limit: z.number().int().positive().optional().describe('read the first rows only'),
    workers: z.number().int().min(0).optional().describe('threads that index; default: one per core, at most 8'),
  }),
  examples: [
    { command: 'vlgym webshop import ~/webshop/data', does: 'everything, into ~/webshop/data/catalog' },
    { command: 'vlgym webshop import mugs.csv', does: 'a shop of your products, with their photos, in ./catalog' },
    {
      command: 'vlgym webshop import data --products data/items_shuffle_1000.json --to small',
      does: 'the thousand products of the paper’s small shop',
    },
  ],
  async run({ folder: place, to: target, limit, workers, ...given }, { signal, stdout, stderr }) {
    const { folder, sources } = await sourcesOf(place, given);
    const to = target ?? join(folder, 'catalog');
    const phases = new Phases(stderr);
    const report = await importCatalog(sources, to, {
      ...(limit === undefined ? {} : { limit }),
      ...(workers === undefined ? {} : { workers }),
      onProgress({ phase, done, total }) {
        // indexing threads are left to finish; before and after, the writer removes what it has written
        if (phase !== 'indexing') signal.throwIfAborted();
        phases.update(done, { label: phase, total, unit: UNITS[phase] });
      },
    }).finally(() => phases.end());
    stdout.write(`${summaryOf(report)}\n${to}\n`);
    const isOwn = sources.human === undefined && sources.attributes === undefined;
    const options = { catalog: { folder: to }, ...(!isOwn && sources.human === undefined && { goals: 'synthetic' }) };
    stdout.write(`vlgym eval vlgym/WebShop-v1 --env-options '${JSON.stringify(options)}'\n`);
    return 0;
  },
});

export const webshop: CommandGroup = {
  name: 'webshop',
  summary: 'products of WebShop: import',
  description:
    'vlgym/WebShop-v1 makes up a catalog of any size and needs none of this. Who has the original’s product files imports them once, and the environments play with them.',
  verbs: [importCommand] as unknown as CommandGroup['verbs'],
};

type Given = { readonly [Name in keyof ImportSources]?: string | undefined };

async function sourcesOf(place: string | undefined, given: Given): Promise<{ folder: string; sources: ImportSources }> {
  if (place === undefined && given.products === undefined) {
    throw new UsageError('No products are named.', {
      expected: 'a folder with the files of the original, or a file of your products',
      hint: 'vlgym webshop import products.csv',
    });
  }
  const isFile = place !== undefined && (await stat(place).catch(() => undefined))?.isFile() === true;
  if (isFile && given.products !== undefined) {
    throw new UsageError(`${place} and --products ${given.products} are both files of products.`, {
      value: given.products,
      expected: 'one of them',
      hint: 'leave one of them out',
    });
  }
  const products = given.products ?? (isFile ? place : undefined);
  if (products === undefined) return { folder: place!, sources: await sourcesIn(place!, given) };
  if (place !== undefined && !isFile && isOriginal(products)) {
    return { folder: place, sources: await sourcesIn(place, given) };
  }
  const named = Object.entries({ ...given, products }).filter(([, file]) => file !== undefined);
  return {
    folder: isFile || place === undefined ? dirname(products) : place,
    sources: Object.fromEntries(named) as unknown as ImportSources,
  };
}

const isOriginal = (products: string) => products.includes(STARTS.products);

/** The named files, and those that the folder holds under the original's names for the same number of products. */
async function sourcesIn(folder: string, given: Given): Promise<ImportSources> {
  const names = await readdir(folder);
  const products = given.products ?? one('products', folder, names);
  const size = products.slice(products.lastIndexOf(STARTS.products) + STARTS.products.length);
  const beside = (name: 'attributes' | 'human') => {
    const exact = [`${STARTS[name]}${size}`, `${STARTS[name]}.json`].find((file) => names.includes(file));
    return given[name] ?? (exact === undefined ? one(name, folder, names) : join(folder, exact));
  };
  const [attributes, human] = [beside('attributes'), beside('human')];
  return {
    products,
    ...(attributes && { attributes }),
    ...(human && { human }),
    ...(given.nouns && { nouns: given.nouns }),
  };
}

/** The one file with the original's prefix; empty if the file is optional and missing. */
function one(name: keyof typeof STARTS, folder: string, names: readonly string[]): string {
  const found = names.filter((file) => file.startsWith(STARTS[name]) && file.endsWith('.json')).sort();
  const [file] = found;
  if (file !== undefined && found.length === 1) return join(folder, file);
  if (found.length === 0 && name !== 'products') return '';
  const what = found.length === 0 ? `No ${STARTS[name]}*.json in ${folder}.` : `${folder} has ${found.join(', ')}.`;
  throw new UsageError(what, { hint: `say which file with --${name} FILE` });
}

/** Rows named per reason. */
const MAX_NAMED = 3;

function summaryOf({ rows, products, skipped, examples, photos = 0, drawn = 0 }: LoadReport): string {
  const reasons = Object.entries(skipped).map(([reason, count]) => [String(count), reason]);
  const pictures = [
    ...(photos > 0 ? [[String(photos), 'photos']] : []),
    ...(drawn > 0 ? [[String(drawn), 'pictures of the web, which the shop does not load: it draws others']] : []),
  ];
  const counts = table([[String(rows), 'rows'], [String(products), 'products'], ...pictures, ...reasons]);
  const named = Object.keys(skipped).map((reason) => {
    const first = examples.filter((each) => each.reason === reason).slice(0, MAX_NAMED);
    return `${reason}: ${first.map(({ row, asin }) => (asin ? `row ${row} (${asin})` : `row ${row}`)).join(', ')}`;
  });
  return named.length === 0 ? counts : `${counts}\n\n${named.join('\n')}\n`;
}
