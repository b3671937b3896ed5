/**
 * An older Node says that it is too old, and nothing else. `npm install node@18` in a folder of its own has such a
 * Node; `VLGYM_NODE_18` is the path of its program, `node_modules/node/bin/node` there.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publicPackages, ROOT } from './support/workspaces.js';

const { VLGYM_NODE_18: node } = process.env;
const folder = mkdtempSync(join(tmpdir(), 'vlgym-node-18-'));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(node!, args, { cwd: folder, encoding: 'utf8' });
  return { status, output: stdout + stderr };
};

// a renderer without an environment needs no Node of its own, and the command has no exports
const packages = publicPackages.filter(({ name, manifest }) => manifest.exports && name !== '@vlgym/render');

describe.skipIf(node === undefined)(
  `Node 18${node === undefined ? ' (skipped: VLGYM_NODE_18 names none)' : ''}`,
  () => {
    beforeAll(() => {
      for (const each of packages) {
        const place = join(folder, 'node_modules', each.name);
        mkdirSync(dirname(place), { recursive: true });
        symlinkSync(each.folder, place);
      }
    });

    it('is that', () => expect(run('--version').output).toMatch(/^v18\./));

    it.each(packages.map(({ name }) => name))('importing %s says which Node it needs', (name) => {
      writeFileSync(join(folder, 'main.mjs'), `import ${JSON.stringify(name)};`);
      const { status, output } = run('main.mjs');
      expect(status).toBe(1);
      expect(output).toContain('GymError: vlgym needs Node 20.19 or newer.');
      expect(output).toContain('hint: install a newer Node');
    });

    it.each([['--help'], ['doctor'], ['train', 'vl-dac']])('vlgym %s says which Node it needs', (...args) => {
      const { status, output } = run(join(ROOT, 'apps/cli/bin/vlgym.js'), ...args);
      expect(output).toBe('error vlgym needs Node 20.19 or newer; this is 18.20.8.\n'.replace('18.20.8', versionOf()));
      expect(status).toBe(1);
    });
  },
);

const versionOf = () => run('--version').output.trim().slice(1);
