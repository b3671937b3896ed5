/** Environments that the Python package does not bring: of a server, of an installed package, of a file. */
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { serveGymnasium } from './support/gymnasium-server.js';
import { GYMNASIUM, PythonPackage } from './support/python-package.js';
import { ROOT } from './support/workspaces.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const { python, reason } = GYMNASIUM;
const ID = 'example/Flag-v0';

describe.skipIf(!python)(`an environment of another package in Python${reason && ` (skipped: ${reason})`}`, () => {
  let installed: PythonPackage;
  /** A project with the package of examples/flag. */
  let project: string;

  beforeAll(async () => {
    installed = await PythonPackage.install();
    project = realpathSync(mkdtempSync(join(tmpdir(), 'vlgym-foreign-')));
    mkdirSync(join(project, 'node_modules/@vlgym'), { recursive: true });
    writeFileSync(join(project, 'package.json'), '{ "name": "a-project" }');
    const target = join(project, 'node_modules/@vlgym/example-flag');
    cpSync(join(ROOT, 'examples/flag/dist'), join(target, 'dist'), { recursive: true });
    cpSync(join(ROOT, 'examples/flag/package.json'), join(target, 'package.json'));
    symlinkSync(join(ROOT, 'node_modules/@vlgym/core'), join(project, 'node_modules/@vlgym/core'));
    symlinkSync(join(ROOT, 'node_modules/zod'), join(project, 'node_modules/zod'));
  });
  afterAll(() => {
    rmSync(project, { recursive: true, force: true });
    installed.remove();
  });

  const whole = {
    found: [ID],
    modes: ['rgb_array', 'ansi'],
    vector: 'VlgymVectorEnv',
    labels: ['left', 'right', 'up', 'down'],
    prompt: ['image', 'text'],
    equal: [true, true],
    listed: true,
  };

  it('"Namespace example not found": register_from takes a package, and make, make_vec and check_env know its id', async () => {
    expect(await installed.check('foreign', ['@vlgym/example-flag', ID], { cwd: project })).toEqual(whole);
  });

  it('register_from takes the address of a server', async () => {
    const { address, end } = await serveGymnasium(['flag', '--import', '@vlgym/example-flag', '--port', '0']);
    try {
      expect(await installed.check('foreign', [address, ID])).toEqual(whole);
    } finally {
      await end();
    }
  });

  it('make("module:id") finds what VLGYM_REGISTER names', async () => {
    const file = join(project, 'node_modules/@vlgym/example-flag/dist/index.js');
    const variables = { VLGYM_REGISTER: `, ${file}` };
    expect(await installed.check('named', [`vlgym:${ID}`], { variables })).toEqual(expect.any(Number));
  });

  it('says what it cannot register', async () => {
    expect(await installed.check('unimportable', ['not-anywhere'], { cwd: project })).toEqual([
      'VlgymError',
      'IMPORT_FAILED',
      expect.stringContaining('"not-anywhere" cannot be imported'),
    ]);
    expect(await installed.check('unimportable', ['unix:/nowhere/socket'])).toEqual([
      'ConnectionError',
      null,
      expect.stringContaining('No server at unix:/nowhere/socket'),
    ]);
    writeFileSync(join(project, 'empty.mjs'), '');
    expect(await installed.check('unimportable', ['./empty.mjs'], { cwd: project })).toEqual([
      'ValueError',
      null,
      expect.stringContaining('registers no environments'),
    ]);
  });
});
