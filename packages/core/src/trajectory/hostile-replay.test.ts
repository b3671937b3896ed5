import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { GymError } from '../errors.js';
import { register, unregister } from '../registry/register.js';
import { collect, writeEpisodes } from './fixtures/folder.js';
import { PictureWalk } from './fixtures/picture-walk.js';
import { readTrajectories } from './reader.js';
import { type ReplayReport, replay } from './replay.js';

const ID = 'test/HostileWalk-v0';
const STRICT = 'test/HostileStrictWalk-v0';
const home = process.cwd();
let folder: string;
let made: object[];

beforeAll(() => {
  const entryPoint = (options: object) => {
    made.push(options);
    return new PictureWalk();
  };
  register({ id: ID, entryPoint });
  register({ id: STRICT, entryPoint, fileOptions: ['size'] });
});
afterAll(() => {
  unregister(ID);
  unregister(STRICT);
});

beforeEach(async () => {
  made = [];
  folder = await mkdtemp(join(tmpdir(), 'vlgym-hostile-replay-'));
  // modules that leave a mark when they run, in every location that a name in a file could resolve to
  const proof = `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(join(folder, 'ran'))}, '');`;
  await writeFile(join(folder, 'module.mjs'), proof);
  for (const name of ['@vlgym/miniworld', 'bad package', 'bad-package']) {
    const place = join(folder, 'node_modules', name);
    await mkdir(place, { recursive: true });
    await writeFile(join(place, 'package.json'), JSON.stringify({ name, type: 'module', main: 'index.js' }));
    await writeFile(join(place, 'index.js'), proof);
  }
  process.chdir(folder); // a reader replays the file in the folder where it was unpacked
});
afterEach(async () => {
  process.chdir(home);
  await rm(folder, { recursive: true, force: true });
});

/** Writes the header of a valid episode with changes as JSON text, and replays the file. */
async function replayWith(changes: object | string): Promise<ReplayReport> {
  await writeEpisodes(folder, 1);
  const file = join(folder, 'episodes.jsonl');
  const [first, ...rest] = (await readFile(file, 'utf8')).split('\n');
  const { trajectory, event } = JSON.parse(first!);
  const text = typeof changes === 'string' ? changes : JSON.stringify(changes).slice(1, -1);
  const { env: _, ...header } = trajectory;
  const line = `{"event":"${event}","trajectory":{${JSON.stringify(header).slice(1, -1)},${text}}}`;
  await writeFile(file, [line, ...rest].join('\n'));
  const [episode] = await collect(readTrajectories(folder));
  return replay(episode!);
}

const moduleCases: readonly (readonly [what: string, module: () => unknown])[] = [
  ['a data: URL', () => 'data:text/javascript,import("node:fs").then((fs)=>fs.writeFileSync("ran",""))'],
  ['a file: URL', () => pathToFileURL(join(folder, 'module.mjs')).href],
  ['an http: URL', () => 'http://127.0.0.1:9/module.mjs'],
  ['an absolute path', () => join(folder, 'module.mjs')],
  ['a path', () => './module.mjs'],
  ['a path upwards', () => `../${relative(join(folder, '..'), folder)}/module.mjs`],
  ['a Windows path', () => 'C:\\module.mjs'],
  ['a network path', () => '\\\\host\\share\\module.mjs'],
  ['a builtin', () => 'node:child_process'],
  ['a bare builtin', () => 'child_process'],
  ['a package', () => 'bad-package'],
  ['a package with a space', () => 'bad package'],
  ['a subpath of a known package', () => '@vlgym/points24/../../module.mjs'],
  ['a name of the prototype', () => '__proto__'],
  ['a number', () => 7],
  ['a list', () => ['./module.mjs']],
];

const program = 'touch ran';
const optionCases: readonly (readonly [what: string, text: string])[] = [
  ['a browser', JSON.stringify({ executablePath: '/bin/sh' })],
  ['a bare program', JSON.stringify({ executablePath: 'sh' })],
  ['an interpreter', JSON.stringify({ python: 'python3' })],
  ['a command', JSON.stringify({ command: program })],
  ['a nested command', JSON.stringify({ size: { launch: { command: program } } })],
  ['a command in a list', JSON.stringify({ steps: [{ shell: program }] })],
  ['another spelling', JSON.stringify({ python_command: program, PythonPath: 'x' })],
  ['a browser without its sandbox', JSON.stringify({ sandbox: false })],
  ['variables of a process', JSON.stringify({ env: { NODE_OPTIONS: '--require ./module.mjs' } })],
  ['a folder of data', JSON.stringify({ data: 'games' })],
  ['a folder of a catalog', JSON.stringify({ catalog: { folder: 'x' } })],
  ['an absolute path', JSON.stringify({ style: '/etc/passwd' })],
  ['a path upwards', JSON.stringify({ style: 'a/../../b' })],
  ['a home folder', JSON.stringify({ style: '~/.ssh' })],
  ['a network path', JSON.stringify({ style: '\\\\host\\share' })],
  ['an address', JSON.stringify({ style: 'file:///etc/passwd' })],
  ['an address with a space before', JSON.stringify({ style: ' data:text/html,x' })],
  ['a text with a NUL', JSON.stringify({ style: 'x\0y' })],
  ['a giant number', '{"size": 1e300}'],
  ['a giant text', JSON.stringify({ style: 'x'.repeat(20_000) })],
  ['a giant list', JSON.stringify({ list: Array(20_000).fill(0) })],
  ['deep nesting', `{"list": ${'['.repeat(20)}${']'.repeat(20)}}`],
  ['the constructor', '{"constructor": {"prototype": {"polluted": true}}}'],
  ['the prototype, nested', '{"size": {"__proto__": {"polluted": true}}}'],
];

describe('a hostile recording', () => {
  afterEach(async () => {
    expect(await readdir(folder)).not.toContain('ran');
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it.each(moduleCases)('cannot load a module by naming %s', async (_, module) => {
    const error = await replayWith({ env: { id: 'test/NotRegistered-v0', module: module() } }).catch((e) => e);
    expect(error).toBeInstanceOf(GymError);
    expect(error.code).toMatch(/^(?:UNTRUSTED_SPEC|TRAJECTORY_INVALID)$/);
    expect(error.hint).toBeTruthy();
  });

  it('does not resolve a known package in the folder of the file', async () => {
    const replaying = replayWith({ env: { id: 'MiniWorld-Nowhere-v0', module: '@vlgym/miniworld' } });
    await expect(replaying).rejects.toThrow(GymError);
  });

  it.each(moduleCases)('plays a registered environment and ignores %s next to it', async (_, module) => {
    const outcome = await replayWith({ env: { id: ID, module: module() } }).catch((e) => e);
    expect(outcome).toMatchObject(typeof module() === 'string' ? { ok: true } : { code: 'TRAJECTORY_INVALID' });
  });

  it.each(optionCases)('cannot set an option to %s', async (_, options) => {
    await expect(replayWith(`"env": {"id": "${ID}", "options": ${options}}`)).rejects.toMatchObject({
      code: 'UNTRUSTED_SPEC',
      path: expect.stringMatching(/^options\./),
      hint: expect.stringContaining('pass it yourself'),
    });
    expect(made).toEqual([]);
  });

  it.each(optionCases)('cannot set the option of a wrapper to %s', async (_, options) => {
    const wrappers = `"wrappers": [{"name": "timeLimit", "options": ${options}}]`;
    await expect(replayWith(`"env": {"id": "${ID}", ${wrappers}}`)).rejects.toMatchObject({
      code: 'UNTRUSTED_SPEC',
      path: expect.stringMatching(/^wrappers\.0\.options\./),
    });
    expect(made).toEqual([]);
  });

  it.each(optionCases)('cannot set a reset option to %s', async (_, options) => {
    await expect(replayWith(`"env": {"id": "${ID}"}, "options": ${options}`)).rejects.toMatchObject({
      code: 'UNTRUSTED_SPEC',
      path: expect.stringMatching(/^resetOptions\./),
    });
    expect(made).toEqual([]);
  });

  it.each([
    ['an id of the prototype', { id: '__proto__' }],
    ['an id with a module', { id: './module.mjs:Env-v0' }],
    ['an id that is not a string', { id: { toString: 'x' } }],
    ['options that are a list', { id: ID, options: ['x'] }],
    ['wrappers that are a text', { id: ID, wrappers: 'x' }],
    ['an unknown wrapper', { id: ID, wrappers: [{ name: 'constructor' }] }],
    ['a giant step limit', { id: ID, maxEpisodeSteps: 1e300 }],
    ['an unknown render mode', { id: ID, renderMode: 'rgb_array; touch ran' }],
  ])('is refused with a typed error for %s', async (_, env) => {
    const error = await replayWith({ env }).catch((e) => e);
    expect(error).toBeInstanceOf(GymError);
    expect(error.code).toMatch(/^[A-Z_]+$/);
  });

  it.each<[string, object[]]>([
    ['17 wrappers', Array(17).fill({ name: 'orderEnforcing' })],
    ['one wrapper that asks for all memory', [{ name: 'frameStack', options: { size: 1e8 } }]],
    ['nested repetitions', Array(4).fill({ name: 'actionRepeat', options: { times: 500 } })],
    ['nested stacks', Array(6).fill({ name: 'frameStack', options: { size: 40 } })],
    [
      'a stack of repetitions',
      [
        { name: 'actionRepeat', options: { times: 200 } },
        { name: 'frameStack', options: { size: 51 } },
      ],
    ],
    ['a giant picture', [{ name: 'resizeObservation', options: { height: 1e5, width: 1e5 } }]],
  ])('cannot ask for more work than the reader expects, by %s', async (_, wrappers) => {
    await expect(replayWith({ env: { id: ID, wrappers } })).rejects.toMatchObject({
      code: 'UNTRUSTED_SPEC',
      path: expect.stringMatching(/^wrappers/),
      expected: expect.stringContaining('at most'),
    });
    expect(made).toEqual([]);
  });

  it('may ask for the wrappers of ordinary experiments', async () => {
    const wrappers = [
      { name: 'actionRepeat', options: { times: 4 } },
      { name: 'resizeObservation', options: { height: 448, width: 448 } },
      { name: 'frameStack', options: { size: 4 } },
      { name: 'history', options: { length: 100_000 } },
    ];
    expect(await replayWith({ env: { id: ID, wrappers } })).toMatchObject({ mismatch: { at: 'reset' } });
    expect(made).toHaveLength(1);
  });

  it('pollutes nothing with a prototype for options', async () => {
    await replayWith(`"env": {"id": "${ID}", "options": {"__proto__": {"python": "sh"}}}`).catch(() => {});
    for (const options of made) expect((options as { python?: unknown }).python).toBeUndefined();
  });

  it('sets only the options that the environment declares for files', async () => {
    expect(await replayWith({ env: { id: STRICT, options: { size: 3 } } })).toMatchObject({ ok: true });
    await expect(replayWith({ env: { id: STRICT, options: { style: 'a' } } })).rejects.toMatchObject({
      code: 'UNTRUSTED_SPEC',
      path: 'options.style',
    });
  });
});

it("uses the reader's options instead of the file's", async () => {
  await replayWith({ env: { id: ID, options: { size: 3, python: 'sh' } } }).catch(() => {});
  const [episode] = await collect(readTrajectories(folder));
  expect(await replay(episode!, { envOptions: { python: '/usr/bin/python3' } })).toMatchObject({ ok: true });
  expect(made).toEqual([{ size: 3, python: '/usr/bin/python3' }]);
});
