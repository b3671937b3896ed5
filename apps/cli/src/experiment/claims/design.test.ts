import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import '../../environments.js';
import { claimsMarkdown } from '../../terminal/claims-markdown.js';
import { claimsText } from '../../terminal/claims-text.js';
import { optionsOf } from '../run-options.js';
import { readCells } from './cells.js';
import { armsOf, blocksOf, type Design, designDigest, parseDesign, readDesign } from './design.js';
import { claimsOf } from './rows.js';

const file = (name: string) => fileURLToPath(new URL(`../../../../../docs/claims/${name}`, import.meta.url));
const pilot = (change: object = {}) => ({ ...JSON.parse(readFileSync(file('pilot.json'), 'utf8')), ...change });

describe('the designs of docs/claims', () => {
  it.each([
    ['gtr-turbo/design.json', 30, ['G1', 'G2']],
    ['vl-dac/design.json', 30, ['V1']],
    ['stabilizers/design.json', 30, ['V2']],
    ['guidance/design.json', 10, ['G4']],
    ['teacher/design.json', 10, ['G3']],
    ['two-phases/design.json', 10, ['G1', 'G2']],
    ['field/design.json', 12, ['R']],
  ])(
    'are valid: %s has %i blocks, each contrast of its family, and a budget for all runs',
    async (name, count, claims) => {
      const { design } = await readDesign(file(name));
      expect(blocksOf(design)).toHaveLength(count);
      expect(new Set(blocksOf(design).map(({ block }) => block)).size).toBe(count);
      expect([...new Set(design.contrasts.map(({ id }) => id.split('.')[0]))]).toEqual(claims);
      expect(design.contrasts.every(({ id, family }) => id.startsWith(family))).toBe(true);
      for (const { outcome, test, margin } of design.contrasts) {
        const isSuccess = ['success', 'teacher-gap'].includes(outcome);
        const expected = test === 'spread' ? undefined : isSuccess ? 0.05 : 0.1;
        expect(margin).toBe(expected);
      }
      const { cpuHours, cpuMinutesPerRun } = design.budget;
      expect((armsOf(design).length * count * cpuMinutesPerRun) / 60).toBeLessThanOrEqual(cpuHours);
    },
  );

  it('has a pilot', async () => {
    expect(blocksOf((await readDesign(file('pilot.json'))).design).length).toBeGreaterThan(0);
  });

  it.each([
    ['gtr-turbo', 90],
    ['gtr-turbo/nine-blocks', 27],
    ['teacher', 10],
    ['two-phases', 30],
    ['guidance', 120],
    ['vl-dac', 150],
  ])('was run: the cells of %s are of the committed design', async (name, runs) => {
    const { digest } = await readDesign(file(`${name}/design.json`));
    const { file: cells } = (await readCells(file(`${name}/cells.json`)))!;
    expect(cells.digest).toBe(digest);
    expect(cells.runs.filter(({ status }) => status === 'finished')).toHaveLength(runs);
  });

  it.each(['gtr-turbo', 'teacher', 'two-phases'])(
    'was run, and both READMEs print what the cells of %s say',
    async (name) => {
      const { design, file: cells } = (await readCells(file(`${name}/cells.json`)))!;
      const claims = claimsOf(design, cells);
      expect(readFileSync(file('README.md'), 'utf8')).toContain(claimsText(claims).trimEnd());
      expect(readFileSync(file('../../README.md'), 'utf8')).toContain(claimsMarkdown(claims));
    },
  );

  it.each(['guidance', 'vl-dac'])(
    'was run, and its README prints the table of what the cells of %s say',
    async (name) => {
      const { design, file: cells } = (await readCells(file(`${name}/cells.json`)))!;
      expect(readFileSync(file('README.md'), 'utf8')).toContain(claimsMarkdown(claimsOf(design, cells)).trim());
    },
  );

  it('has settings that every algorithm takes, equal where a contrast says so', async () => {
    const designs = await Promise.all(
      ['teacher', 'guidance', 'gtr-turbo', 'vl-dac', 'stabilizers', 'field'].map(
        async (name) => (await readDesign(file(`${name}/design.json`))).design,
      ),
    );
    const { worlds } = designs[0]!;
    for (const design of designs) expect(design.worlds).toEqual(worlds);
    const { env, model } = worlds.room!;
    const arms: Design['arms'] = Object.assign({}, ...designs.map((design) => design.arms));
    const config = (arm: string) => {
      const { algorithm, set, replicate } = arms[arm]!;
      return optionsOf({ algorithm, set, replicate, env, model, constrain: undefined }).algorithm
        .config as unknown as Record<string, Record<string, unknown>>;
    };
    for (const arm of Object.keys(arms)) expect(config(arm)).toBeDefined();
    const shared = ['advantage', 'value', 'regularizer', 'optimizer', 'rollout', 'reward'];
    for (const weight of ['0.2', '0.35', '0.5', '1']) {
      for (const part of shared) expect(config(`rl4vlm-kl-thought-${weight}`)[part]).toEqual(config('vl-dac')[part]);
      expect(config(`rl4vlm-kl-thought-${weight}`).loss!.thoughtCoefficient).toBe(Number(weight));
    }
    for (const part of shared) expect(config('token-ratios')[part]).toEqual(config('rl4vlm')[part]);
    expect(config('permuted')).toEqual({
      ...config('gtr-turbo-kl'),
      guidance: { ...config('gtr-turbo-kl').guidance, permute: true },
    });
    expect(config('beta-0').guidance).toEqual({ ...config('gtr-turbo-kl').guidance, klCoefficient: 0 });
  });
});

describe('a design', () => {
  it('has a digest of its data, not of how they are written', () => {
    const { title, ...rest } = pilot();
    expect(designDigest({ ...rest, title })).toBe(designDigest(pilot()));
    expect(designDigest(pilot({ title: 'other' }))).not.toBe(designDigest(pilot()));
  });

  it('runs every warm start once before a second seed, and only arms that are compared', () => {
    const design = parseDesign(pilot({ blocks: { warmStarts: [0, 1], seeds: [4, 5] } }), 'here');
    expect(blocksOf(design).map(({ block }) => block)).toEqual(['0.4', '1.4', '0.5', '1.5']);
    expect(armsOf(design)).toEqual([
      { world: 'line', arm: 'vl-dac' },
      { world: 'line', arm: 'rl4vlm' },
    ]);
  });

  const contrast = (change: object) => ({ contrasts: [{ ...pilot().contrasts[0], ...change }] });
  it.each<[string, object, string]>([
    ['an unknown key', { extra: 1 }, 'extra'],
    ['no schema', { schema: undefined }, 'schema'],
    ['an arm that is not compared', { arms: { ...pilot().arms, idle: { algorithm: 'grpo' } } }, 'arms.idle'],
    ['an arm without an algorithm', { arms: { ...pilot().arms, rl4vlm: {} } }, 'arms.rl4vlm'],
    ['an arm that is not there', contrast({ first: 'dapo' }), 'contrasts.0.first'],
    ['an arm against itself', contrast({ first: ['rl4vlm'] }), 'contrasts.0.second'],
    ['an arm of which only the name is known', contrast({ second: 'constructor' }), 'contrasts.0.first'],
    ['an arm twice in one side', contrast({ first: ['vl-dac', 'vl-dac'] }), 'contrasts.0.first'],
    ['a world that is not there', contrast({ world: 'room' }), 'contrasts.0.world'],
    ['a world of which only the name is known', contrast({ world: 'constructor' }), 'contrasts.0.world'],
    ['a world that is not used', { worlds: { ...pilot().worlds, idle: pilot().worlds.line } }, 'worlds.idle'],
    ['an outcome that is neither primary nor secondary', contrast({ outcome: 'sight' }), 'contrasts.0.outcome'],
    [
      'given weights as two warm starts',
      { worlds: { line: { ...pilot().worlds.line, start: 'runs/mine' } } },
      'blocks.warmStarts',
    ],
    ['the same seed twice', { blocks: { warmStarts: [0], seeds: [1, 1] } }, 'blocks.seeds'],
    ['two contrasts of one id', { contrasts: [pilot().contrasts[0], pilot().contrasts[0]] }, 'contrasts.1.id'],
  ])('is refused with %s, and where it is', (_, change, where) => {
    const refuse = () => parseDesign(pilot(change), 'my.json') satisfies Design;
    expect(refuse).toThrowError(expect.objectContaining({ code: 'DESIGN_INVALID' }));
    expect(refuse).toThrow(where === 'extra' ? 'my.json is not a design' : `my.json is not a design: ${where}`);
  });

  it('is refused as a file that is missing or not JSON', async () => {
    await expect(readDesign('/missing.json')).rejects.toThrow('No design was found at /missing.json.');
    await expect(readDesign(file('README.md'))).rejects.toMatchObject({ code: 'DESIGN_INVALID' });
  });
});
