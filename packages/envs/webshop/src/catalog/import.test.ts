import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { lockFolder, ownIdentity } from '@vlgym/core/internal';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openCatalog } from './disk-catalog.js';
import { importCatalog } from './import-catalog.js';
import type { Progress } from './progress.js';

let home = '';
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'vlgym-import-'));
  await write('products.json', [row('A'), row('B')]);
});
afterEach(() => rm(home, { recursive: true, force: true }));

const row = (asin: string) => ({
  asin,
  name: 'Soft Rug',
  full_description: '',
  pricing: '$9.99',
  images: ['https://elsewhere.invalid/x.jpg'],
  product_category: 'Home',
  small_description: [],
  customization_options: null,
  category: 'garden',
  query: 'rugs',
});

async function write(name: string, content: unknown): Promise<string> {
  const path = join(home, name);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

interface Given {
  readonly attributes?: string;
  readonly human?: string;
  readonly nouns?: string;
  readonly onProgress?: (progress: Progress) => void;
}

const imported = (to: string, { onProgress = () => {}, ...sources }: Given = {}) =>
  importCatalog({ products: join(home, 'products.json'), ...sources }, to, { workers: 0, onProgress });

const taken = expect.objectContaining({ code: 'FOLDER_EXISTS', hint: expect.any(String) });

describe('the folder of an import', () => {
  it('may end with a slash, be empty, or be a link to an empty one', async () => {
    const [empty, link] = [join(home, 'empty'), join(home, 'link')];
    await mkdir(empty);
    await mkdir(join(home, 'far'));
    await symlink(join(home, 'far'), link);
    for (const to of [`${join(home, 'slash')}/`, empty, link]) {
      await imported(to);
      openCatalog(to).store.close();
    }
  });

  it('is refused if it is a file, a non-empty folder, or a dangling link, before anything is read', async () => {
    const [file, full, lost] = [await write('file', 'precious'), join(home, 'full'), join(home, 'lost')];
    await mkdir(full);
    await writeFile(join(full, 'kept'), 'precious');
    await symlink(join(home, 'nowhere'), lost);
    const onProgress = vi.fn();
    for (const to of [file, full, lost]) await expect(imported(to, { onProgress })).rejects.toEqual(taken);
    expect(onProgress).not.toHaveBeenCalled();
    expect(await readFile(file, 'utf8')).toBe('precious');
    expect(await readdir(full)).toEqual(['kept']);
  });

  it('is refused if it is or contains the current folder', async () => {
    const around = join(home, 'around');
    await mkdir(around);
    for (const current of [around, join(around, 'inner')]) {
      const cwd = vi.spyOn(process, 'cwd').mockReturnValue(current);
      await expect(imported(around)).rejects.toEqual(taken);
      cwd.mockRestore();
    }
    expect(await readdir(around)).toEqual([]);
  });

  it('keeps files that appear in it while the import runs', async () => {
    const to = join(home, 'raced');
    const onProgress = ({ phase }: Progress) => {
      if (phase !== 'indexing') return;
      mkdirSync(to, { recursive: true });
      writeFileSync(join(to, 'note'), 'precious');
    };
    await expect(imported(to, { onProgress })).rejects.toEqual(taken);
    expect(await readFile(join(to, 'note'), 'utf8')).toBe('precious');
    expect((await readdir(home)).filter((name) => name.includes('.part'))).toEqual([]);
  });

  it('is cleared of leftovers of killed imports, and of no others', async () => {
    const to = join(home, 'again');
    const part = () => `${to}.part-${randomUUID()}`;
    const [killed, running, elsewhere, opening, halfRemoved] = [part(), part(), part(), part(), part()];
    const lock = await lockFolder(running, 'import');
    const claim = async (part: string, owner: object) => {
      await mkdir(join(part, '.import.lock'), { recursive: true });
      await writeFile(join(part, '.import.lock', `${randomUUID()}.json`), JSON.stringify(owner));
    };
    const dead = spawnSync(process.execPath, ['--version']).pid;
    const identity = await ownIdentity();
    await claim(killed, { ...identity, pid: dead });
    await claim(elsewhere, { ...identity, pid: dead, host: 'elsewhere', boot: 'other' });
    await mkdir(`${to}.part-of-mine`);
    await mkdir(opening);
    await mkdir(halfRemoved);
    const anHourAgo = Date.now() / 1000 - 3600;
    await utimes(halfRemoved, anHourAgo, anHourAgo);
    await imported(to);
    const left = (await readdir(home)).filter((name) => name.includes('.part')).map((name) => join(home, name));
    expect(left.sort()).toEqual([running, elsewhere, opening, `${to}.part-of-mine`].sort());
    await lock.release();
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'is not touched by a second import that runs next to the first, round %i',
    async (round) => {
      const later = async () => {
        await setTimeout(round); // the second meets the first at another moment of its work in every round
        return imported(join(home, 'twice'));
      };
      const [one, two] = await Promise.allSettled([imported(join(home, 'twice')), later()]);
      const results = [one.status, two.status].sort();
      expect(results).toEqual(['fulfilled', 'rejected']);
      const failed = (one.status === 'rejected' ? one : two) as PromiseRejectedResult;
      expect(failed.reason).toEqual(taken);
      expect((await readdir(join(home, 'twice'))).some((name) => name.includes('lock'))).toBe(false);
    },
  );
});

describe('the files of an import', () => {
  it('are refused in a wrong shape: lines, a list for a map, no product', async () => {
    const list = await write('list.json', [{ attributes: ['soft'] }]);
    const format = expect.objectContaining({ code: 'JSON_FORMAT', hint: expect.any(String) });
    for (const name of ['attributes', 'human', 'nouns'] as const) {
      await expect(imported(join(home, 'to'), { [name]: list })).rejects.toEqual(format);
      await expect(imported(join(home, 'to'), { [name]: await write('none.json', []) })).rejects.toEqual(format);
    }
    await write('products.json', `${JSON.stringify(row('A'))}\n${JSON.stringify(row('B'))}\n`);
    await expect(imported(join(home, 'to'))).rejects.toEqual(
      expect.objectContaining({ code: 'JSON_FORMAT', hint: expect.stringContaining('jq') }),
    );
    for (const products of [[], [5, 'x']]) {
      await write('products.json', products);
      await expect(imported(join(home, 'to'))).rejects.toMatchObject({ code: 'NO_PRODUCTS' });
    }
    expect(await readdir(home)).not.toContain('to');
  });

  it('may have a record that is not JSON: its row is named', async () => {
    const attributes = await write('attributes.json', '{"A": {"attributes": [oops]}, "B": {"attributes": ["soft"]}}');
    const report = await imported(join(home, 'to'), { attributes });
    expect(report).toMatchObject({ rows: 2, products: 1 });
    expect(report.examples).toEqual([{ row: 0, asin: 'A', reason: 'the attribute record is not a map' }]);
  });

  it('are named, with what they are and where to get them, if one is missing', async () => {
    for (const name of ['products', 'attributes', 'human', 'nouns'] as const) {
      const missing = join(home, 'nothing', `${name}.json`);
      const error = await imported(join(home, 'to'), { [name]: missing }).catch((caught: unknown) => caught);
      expect(error).toMatchObject({
        code: 'FILE_MISSING',
        message: expect.stringContaining(missing),
        expected: expect.stringContaining('items_'),
        hint: expect.stringContaining('vlgym webshop'),
      });
    }
  });

  it('are all reported while they are read', async () => {
    const phases = new Set<string>();
    const human = await write('human.json', { A: [{ instruction: 'a rug' }] });
    const attributes = await write('attributes.json', { A: { attributes: ['soft'] } });
    await imported(join(home, 'to'), { human, attributes, onProgress: ({ phase }) => phases.add(phase) });
    expect([...phases]).toEqual(['reading attributes', 'reading instructions', 'indexing', 'merging']);
  });

  it('may have an asin of ten letters and more than ten bytes: its row is named', async () => {
    await write('products.json', [row('ÄÖÜÄÖÜÄÖ'), row('ÄÖÜ')]);
    const { examples } = await imported(join(home, 'to'));
    expect(examples).toEqual([{ row: 0, asin: 'ÄÖÜÄÖÜÄÖ', reason: 'asin takes more than 10 bytes' }]);
    const { store } = openCatalog(join(home, 'to'));
    expect(store.find('ÄÖÜ')).toBe(0);
    store.close();
  });
});
