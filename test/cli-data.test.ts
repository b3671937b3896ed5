/** The commands that bring data of the originals onto a machine: every claim is about a process. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TASK_TYPES } from '@vlgym/alfworld';
import { generateHousehold, householdFiles } from '@vlgym/alfworld/generator';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { vlgym } from './support/vlgym.js';

vi.setConfig({ testTimeout: 300_000 }); // a process takes as long as the machine lets it

let home = '';
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'vlgym-cli-data-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** Four games, one of them marked as unsolvable, as somebody may have them. */
async function writeGames(folder: string): Promise<void> {
  for (const [seed, taskType] of TASK_TYPES.slice(0, 4).entries()) {
    const household = householdFiles(generateHousehold({ split: seed < 2 ? 'train' : 'unseen', taskType, seed }));
    await mkdir(join(folder, household.folder), { recursive: true });
    for (const [name, text] of Object.entries(household.files)) {
      const marked = seed === 3 ? text.replace('"solvable":true', '"solvable":false') : text;
      await writeFile(join(folder, household.folder, name), marked);
    }
  }
}

describe('vlgym alfworld', () => {
  it('imports games, counts them, names them, and says why one is left out', async () => {
    const [from, to] = [join(home, 'from'), join(home, 'to')];
    await writeGames(from);
    const imported = await vlgym(['alfworld', 'import', from, '--to', to]);
    expect(imported).toMatchObject({ code: 0, stdout: expect.stringContaining('8 files written, 0 already there') });
    expect(imported.stderr).toContain('importing');
    const again = await vlgym(['alfworld', 'import', from, '--to', to]);
    expect(again.stdout).toContain('0 files written, 8 already there');

    const env = { VLGYM_ALFWORLD_DATA: to };
    const table = await vlgym(['alfworld', 'list'], { env });
    expect(table.stdout).toMatch(/^ +train +valid_unseen\npick_and_place_simple +1 +0\n/);
    expect(table.stdout).toMatch(/^games +2 +1\nleft out +0 +1$/m);
    const named = await vlgym(['alfworld', 'list', '--split', 'valid_unseen'], { env });
    expect(named.stdout).toMatch(/^\S+pick_clean_then_place_in_recep-\S+game\.tw-pddl\n$/);
    const rejected = await vlgym(['alfworld', 'list', '--rejected'], { env });
    expect(rejected.stdout).toMatch(/^unsolvable {2}\S+pick_heat_then_place_in_recep-\S+\n$/);

    const played = await vlgym('eval alfworld/AlfredTWEnv-v0 --agent oracle --episodes 2'.split(' '), { env });
    expect(played.stdout).toMatch(/success +100\.0 %/);
  });

  it('says what to do without network, and without games', async () => {
    // stands for a machine without one
    const offline = 'globalThis.fetch = async () => { throw new TypeError("fetch failed") }';
    const env = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(offline)}` };
    const archives = join(home, 'archives');
    const fetched = await vlgym(['alfworld', 'download', '--to', join(home, 'none'), '--archives', archives], { env });
    expect(fetched.stderr).toMatch(/^NO_NETWORK https:\S+json_2\.1\.1_json\.zip[\s\S]*vlgym alfworld import FILE/);
    expect(fetched).toMatchObject({ code: 1, stdout: '' });

    const listed = await vlgym(['alfworld', 'list', '--data', join(home, 'none')]);
    expect(listed.stderr).toMatch(/^NO_GAMES [\s\S]*vlgym alfworld download/);
    expect(listed).toMatchObject({ code: 1, stdout: '' });
  });
});

describe('vlgym webshop import', () => {
  const product = (asin: string) => ({
    asin,
    name: `Soft rug ${asin}`,
    full_description: '',
    pricing: '$9.99',
    images: ['https://elsewhere.invalid/rug.jpg'],
    product_category: 'Home',
    small_description: [],
    customization_options: null,
    category: 'garden',
    query: 'rugs',
  });
  const attributes = { attributes: ['soft'], instruction: 'Find me a soft rug', instruction_attributes: ['soft'] };

  it('makes a catalog of the files in a folder, and the environment plays in it', async () => {
    const [from, to] = [join(home, 'shop'), join(home, 'shop', 'catalog')];
    await mkdir(from);
    const rows = [product('B000000001'), product('B000000002'), product('B000000001'), null];
    await writeFile(join(from, 'items_shuffle_1000.json'), JSON.stringify(rows));
    await writeFile(
      join(from, 'items_ins_v2_1000.json'),
      JSON.stringify({ B000000001: attributes, B000000002: attributes }),
    );
    await writeFile(join(from, 'items_ins_v2.json'), 'a different size, and not read');

    const { code, stdout } = await vlgym(['webshop', 'import', from]);
    expect(stdout).toMatch(/^4 +rows\n2 +products\n2 +pictures of the web.*\n1 +asin seen before\n1 +not an object\n/);
    expect(code).toBe(0);
    expect(await readdir(to)).toContain('catalog.json');
    const options = JSON.stringify({ catalog: { folder: to }, goals: 'synthetic' }); // nobody wrote instructions
    expect(stdout).toContain(`vlgym eval vlgym/WebShop-v1 --env-options '${options}'`);
    const played = await vlgym([
      'eval',
      'vlgym/WebShop-v1',
      '--agent',
      'oracle',
      '--episodes',
      '1',
      '--env-options',
      options,
    ]);
    expect(played.stdout).toMatch(/success +100\.0 %/);

    const again = await vlgym(['webshop', 'import', from]);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringMatching(/^FOLDER_EXISTS/) });
    await writeFile(join(from, 'items_shuffle.json'), '[]');
    const several = await vlgym(['webshop', 'import', from]);
    expect(several.stderr).toMatch(/^USAGE .*items_shuffle\.json, items_shuffle_1000\.json\.\n.*--products FILE/);
    expect(several.code).toBe(2);
  });
});
