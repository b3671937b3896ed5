import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { CountingEnv } from '../../testing/counting-env.js';
import { guideOf } from '../guide.js';
import { make } from '../make.js';
import { resolveEnvId } from '../names.js';
import { findRegistration, register, registeredIds, spec, unregister } from '../register.js';
import type { TrainingSettings } from './declaration.js';

const entryPoint = (options: object) => new CountingEnv(options);
const training: TrainingSettings = {
  updates: 4,
  stepsPerUpdate: 64,
  numEnvs: 8,
  evaluateEvery: 2,
  evaluationTemperature: 0,
  warmStart: { teacher: 'oracle', mistakes: 0.5, examples: 640, learningRate: 1e-3, batch: 64 },
  maxNewTokens: 32,
  rewardScale: 1,
  overrides: { advantage: { gamma: 0.9 } },
};
const declared = {
  id: 'test/Declared-v1',
  entryPoint,
  title: 'Declared',
  shortNames: ['declared'],
  surface: 'page',
  splits: { train: { maxTarget: 3 }, test: { maxTarget: 5 } },
  training,
  baselines: [{ agent: 'random', successRate: 0.25, episodes: 100, source: 'vlgym eval' }],
} as const;

afterEach(() => {
  for (const id of registeredIds()) unregister(id);
});

describe('a declaration', () => {
  it('is kept next to the spec and never goes into a recording', async () => {
    register(declared);
    expect(findRegistration('test/Declared-v1')).toMatchObject({ title: 'Declared', training });
    expect(spec('test/Declared-v1')).toEqual({ id: 'test/Declared-v1' });
    const env = await make('test/Declared-v1', { disableChecker: true, orderEnforce: false });
    expect(env.spec).toEqual({
      id: 'test/Declared-v1',
      maxEpisodeSteps: -1,
      orderEnforce: false,
      disableChecker: true,
    });
  });

  const warmStart = (change: object) => ({
    training: { ...training, warmStart: { ...training.warmStart, ...change } },
  });
  it.each<[what: string, change: object, path: string, says: RegExp]>([
    ['a misspelled key', { shortNmaes: ['x'] }, 'shortNmaes', /Unknown shortNmaes .*\n.*did you mean "shortNames"\?/],
    ['a misspelled setting', { training: { ...training, numEnv: 3 } }, 'training.numEnv', /did you mean "numEnvs"\?/],
    ['a text for a number', { training: { ...training, updates: '4' } }, 'training.updates', /"4".\n.*an integer 1 or/],
    ['a missing setting', { training: { updates: 4 } }, 'training.stepsPerUpdate', /undefined\.\n.*an integer/],
    [
      'another teacher',
      { training: { ...training, warmStart: { teacher: 'me' } } },
      'training.warmStart.teacher',
      /'none'/,
    ],
    ['a share above 1', warmStart({ mistakes: 1.5 }), 'training.warmStart.mistakes', /a number from 0 to 1/],
    [
      'overrides that no file can hold',
      { training: { ...training, overrides: { a: Number.NaN } } },
      'training.overrides',
      /JSON/,
    ],
    ['one side of a split', { splits: { train: {} } }, 'splits.test', /an object of plain JSON data/],
    ['a surface that does not exist', { surface: 'radio' }, 'surface', /'terminal', 'page'/],
    ['a guide without its score', { guide: { goal: 'Win.', rules: 'None.' } }, 'guide', /\{ goal, rules, score \}/],
    ['options for people that no file can hold', { playOptions: { a: () => 1 } }, 'playOptions', /JSON/],
    ['a short name with a version', { shortNames: ['declared-v1'] }, 'shortNames.0', /without a version/],
    [
      'a baseline without a source',
      { baselines: [{ agent: 'random', successRate: 0 }] },
      'baselines.0.source',
      /a text/,
    ],
    ['no entry point', { entryPoint: 'MyEnv' }, 'entryPoint', /\(options\) => new MyEnv/],
    ['a limit that is a text', { maxEpisodeSteps: '5' }, 'maxEpisodeSteps', /a number/],
  ])('is refused for %s', (_, change, path, says) => {
    expect(() => register({ ...declared, ...change } as never)).toThrow(
      expect.objectContaining({
        code: 'INVALID_REGISTRATION',
        id: 'test/Declared-v1',
        path,
        message: expect.stringMatching(says),
      }),
    );
    expect(registeredIds()).toEqual([]);
  });
});

describe('a guide', () => {
  const guide = { goal: 'Count to the target.', rules: 'Add one.', score: 'The target gives 1.' };

  it('is plain sentences, or a function of the options that they depend on', () => {
    expect(guideOf({ guide })).toEqual(guide);
    const counted = ({ maxTarget = 9 }: { readonly maxTarget?: number }) => ({
      ...guide,
      goal: `Count to ${maxTarget}.`,
    });
    register({ ...declared, options: { maxTarget: 4 }, guide: counted });
    const registration = findRegistration('test/Declared-v1');
    expect(guideOf(registration)?.goal).toBe('Count to 4.');
    expect(guideOf(registration, { maxTarget: 7 })?.goal).toBe('Count to 7.');
    expect(guideOf({})).toBeUndefined();
  });
});

describe('a short name', () => {
  it.each([
    ['test/Declared-v1', 'test/Declared-v1'],
    ['DECLARED', 'test/Declared-v1'],
    ['test/plain', 'test/Plain-v3'],
    ['plain', 'test/Plain-v3'],
    ['test/NoSuch-v1', 'test/NoSuch-v1'],
  ])('%s means %s', (text, id) => {
    register(declared);
    register({ id: 'test/Plain-v1', entryPoint });
    register({ id: 'test/Plain-v3', entryPoint });
    // a name without its namespace is weaker than a declared one
    register({ id: 'other/Declared-v0', entryPoint });
    expect(resolveEnvId(text)).toBe(id);
  });

  it('means the newest version, also where only an older one declares it', () => {
    register(declared);
    register({ id: 'test/Declared-v2', entryPoint });
    expect(resolveEnvId('declared')).toBe('test/Declared-v2');
    expect(resolveEnvId('test/Declared-v1')).toBe('test/Declared-v1');
  });

  it('of two environments is refused with both ids', () => {
    register(declared);
    register({ ...declared, id: 'test/Another-v1' });
    expect(() => resolveEnvId('declared')).toThrow(
      expect.objectContaining({ code: 'AMBIGUOUS_ENV_NAME', expected: 'test/Another-v1, test/Declared-v1' }),
    );
  });

  it('that nobody has is answered with the nearest one', () => {
    register(declared);
    expect(() => resolveEnvId('declred')).toThrow(expect.objectContaining({ code: 'UNKNOWN_ENV' }));
    expect(() => resolveEnvId('declred')).toThrow('did you mean "declared"?');
  });
});

describe('an environment of a package that is installed and not imported', () => {
  const home = process.cwd();
  let folder = '';
  afterEach(async () => {
    process.chdir(home);
    await rm(folder, { recursive: true, force: true });
  });

  it.each([
    ['outside/Walk-v0', "`import 'outside-walk'` registers it (on the command line: --import outside-walk)"],
    [
      'outside/Wakl-v0',
      'did you mean "outside/Walk-v0"? `import \'outside-walk\'` registers it (on the command line: --import outside-walk)',
    ],
  ])('%s: the hint names the package, and nothing of it runs', async (id, hint) => {
    folder = await mkdtemp(join(tmpdir(), 'vlgym-installed-'));
    const place = join(folder, 'node_modules', 'outside-walk');
    await mkdir(place, { recursive: true });
    await mkdir(join(folder, 'src'));
    await writeFile(join(folder, 'package.json'), '{"dependencies": {"outside-walk": "*"}}');
    await writeFile(join(place, 'package.json'), '{"vlgym": {"environments": ["outside/Walk-v0", 7]}}');
    await writeFile(join(place, 'index.js'), 'throw new Error("imported");');
    process.chdir(join(folder, 'src'));
    await expect(make(id)).rejects.toMatchObject({ code: 'UNKNOWN_ENV', hint });
  });
});
