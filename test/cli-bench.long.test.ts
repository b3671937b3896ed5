/**
 * Comparisons as a person starts them, as small as they get: several runs, controls, environments and one report. What the
 * numbers should be is tested beside the statistics.
 */
import { existsSync, readFileSync, watch } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { splitOf } from '@vlgym/core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { folderName } from '../apps/cli/src/experiment/folder-name.js';
import type { TransferRow } from '../apps/cli/src/report/transfer.js';
import { vlgym } from './support/vlgym.js';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const SMALL = '--num-envs 4 --steps-per-update 16 --evaluation-episodes 4 --warm-start-examples 64'.split(' ');
const ALGORITHMS = ['gtr-turbo-kl', 'vl-dac', 'rl4vlm'];

let home = '';
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'vlgym-bench-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

describe('vlgym quickstart', () => {
  it('trains, compares and reports; the second time it has nothing left to train', async () => {
    const out = join(home, 'quickstart');
    const quickstart = ['quickstart', ...SMALL, '--updates', '1', '--out', out];
    const first = await vlgym(quickstart);
    expect(first.stderr).toMatch(/training +100 %/);
    for (const title of ['GTR-Turbo \\(KL\\)', 'VL-DAC', 'RL4VLM'])
      expect(first.stdout).toMatch(new RegExp(`^${title} `, 'm'));
    expect(first.code).toBe(0);

    const report = await readFile(join(out, 'report.html'), 'utf8');
    expect(report).toContain('<svg');
    expect(report).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)="http/); // one file, readable without a network
    const logs = () => Promise.all(ALGORITHMS.map((name) => readFile(join(out, `${name}-0`, 'metrics.jsonl'), 'utf8')));
    const before = await logs();

    const second = await vlgym(quickstart);
    expect(second.code).toBe(0);
    expect(await logs()).toEqual(before);
    const replayed = await vlgym(['replay', join(out, 'vl-dac-0', 'episodes')]);
    expect(replayed.stdout).toContain('4 of 4 episodes agree');
  });
});

describe('vlgym bench', () => {
  it('compares on several environments in one report, adds seeds, and takes no other run for its own', async () => {
    const out = join(home, 'bench');
    const benchOf = (algorithms: string, ...more: string[]) => [
      'bench',
      'vlgym/EZPoints-v1',
      'vlgym/NumberLine-v1',
      ...`--algorithms ${algorithms} --num-envs 2 --steps-per-update 4 --updates 1 --warm-start-examples 64`.split(' '),
      ...'--evaluation-episodes 2 --evaluate-every 1'.split(' '),
      ...['--out', out],
      ...more,
    ];
    const bench = (...more: string[]) => benchOf('vl-dac,rl4vlm', ...more);
    const first = await vlgym(bench('--seeds', '0'));
    expect(first.stderr).not.toMatch(/^[A-Z_]+ /m);
    expect(first.stdout.match(/^(?:VL-DAC|RL4VLM) +\d/gm)).toHaveLength(6); // two environments, and all of them
    expect(first.code).toBe(0);

    const metricsOf = () => readFile(join(out, 'vlgym-NumberLine-v1', 'vl-dac-0', 'metrics.jsonl'), 'utf8');
    const before = await metricsOf();
    const second = await vlgym(bench('--seeds', '0,1'));
    expect(second.code).toBe(0);
    expect(await metricsOf()).toBe(before);
    const report = await readFile(join(out, 'report.html'), 'utf8');
    expect(report.match(/<section class="environment" id="[^"]+"><h2>[^<]+/g)).toEqual([
      '<section class="environment" id="vlgym-EZPoints-v1"><h2>EZPoints',
      '<section class="environment" id="vlgym-NumberLine-v1"><h2>NumberLine',
    ]);
    expect(report).toContain('VL-DAC − RL4VLM');
    expect(await readFile(join(out, 'table.md'), 'utf8')).toMatch(/^\| VL-DAC \| 2 \|/m);
    expect(JSON.parse(await readFile(join(out, 'result.json'), 'utf8'))).toHaveLength(2);

    const result = await readResult(join(out, 'vlgym-NumberLine-v1', 'vl-dac-0'));
    expect(result.content).toMatchObject({ overlap: 0 });
    expect(result.after.every(({ taskKey }) => splitOf(taskKey) === 'test')).toBe(true);

    const options = ['--env-options', 'Blackjack:observation=text'];
    const judges = ['--baseline', 'vl-dac', '--transfer', 'vlgym/Blackjack-v1', ...options];
    const carried = await vlgym(benchOf('vl-dac', '--seeds', '0', ...judges));
    expect(carried.stdout).toContain('what carries over');
    expect(carried.code).toBe(0);
    expect(await metricsOf()).toBe(before);
    const matrix = JSON.parse(await readFile(join(out, 'transfer.json'), 'utf8')) as TransferRow[];
    expect(matrix).toHaveLength(2 * 3); // trained on, judged on
    expect(new Set(matrix.map(({ judgedOn }) => judgedOn))).toContain('vlgym/Blackjack-v1');
    expect(await readFile(join(out, 'report.html'), 'utf8')).toContain('<h2>What carries over</h2>');
    const elsewhere = join(out, 'transfer', 'vlgym-EZPoints-v1', 'vlgym-NumberLine-v1', 'vl-dac-0');
    expect((await vlgym(['replay', elsewhere])).stdout).toContain('2 of 2 episodes agree');
    for (const { trainedOn, judgedOn, rates, withoutLooking } of matrix) {
      const folder = join(out, 'transfer', folderName(trainedOn), folderName(judgedOn), 'vl-dac-0-without-looking');
      // the run of an environment plays on it by itself, and keeps outcomes alone
      expect(existsSync(folder)).toBe(trainedOn !== judgedOn && rates.after > 0);
      expect(existsSync(folder)).toBe(withoutLooking !== undefined);
    }
    const judge = join(out, 'transfer', 'vlgym-EZPoints-v1', 'vlgym-Blackjack-v1', 'vl-dac-0', 'judge.json');
    expect(JSON.parse(await readFile(judge, 'utf8'))).toMatchObject({ envOptions: { observation: 'text' } });

    // weights that were trained on play again
    const longer = benchOf('vl-dac', '--seeds', '0', ...judges);
    longer[longer.indexOf('--updates') + 1] = '2';
    const went = await vlgym(longer);
    expect([went.code, went.stderr]).toEqual([0, expect.not.stringContaining('could not be judged')]);
    const refused = await vlgym([...longer, '--replicate']);
    expect(refused.stderr).toMatch(
      /^USAGE --transfer would judge .* with fallback random, and its start with illegal-noop/m,
    );

    const other = await vlgym(bench('--seeds', '0', '--set', '{"loss":{"clipLow":0.3}}'));
    expect(other.stderr).toMatch(/^RUN_DIFFERS .*vl-dac-0 was made with set/m);
    expect(other.code).toBe(1);
  });

  it('starts all runs from given weights: nothing is taught, and what they have met is known', async () => {
    const out = join(home, 'given');
    const weights = join(home, 'quickstart', 'start');
    const command = [
      ...['bench', 'MiniWorld-OneRoomS6Fast-v0', '--algorithms', 'vl-dac,rl4vlm', '--seeds', '0', '--start', weights],
      ...'--num-envs 2 --steps-per-update 4 --updates 1 --evaluation-episodes 4'.split(' '),
      ...['--out', out],
    ];
    const { code, stderr } = await vlgym(command);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('warm start')]);
    expect(stderr).toContain(`the start from ${weights} solves none of 4 episodes`);
    const world = join(out, 'MiniWorld-OneRoomS6Fast-v0');
    const resultIn = async (start: string) => JSON.parse(await readFile(join(start, 'result.json'), 'utf8')).result;
    const { before, tasks } = await resultIn(weights);
    expect(await resultIn(join(world, 'start'))).toMatchObject({ examples: 0, from: weights, before, tasks });
    for (const run of ['vl-dac-0', 'rl4vlm-0'])
      expect((await readResult(join(world, run))).content).toMatchObject({ overlap: 0 });
    expect(await readFile(join(out, 'report.html'), 'utf8')).toContain(`those of <code>${weights}</code>`);

    const other = await vlgym(command.with(command.indexOf(weights), join(home, 'quickstart', 'vl-dac-0')));
    expect([other.code, other.stderr]).toEqual([1, expect.stringMatching(/^START_DIFFERS .*quickstart.vl-dac-0/m)]);

    const taught = await vlgym([...command, '--warm-start-examples', '64']);
    expect(taught.stderr).toMatch(/^USAGE --warm-start-examples .*--start/m);
  });

  it('writes its report after every run, and its runs are folders for all commands', async () => {
    const out = join(home, 'dots');
    await mkdir(out);
    const variant = 'vl-dac:clip0.1';
    const bench = [
      ...`bench vlgym/NumberLine-v1 --algorithms vl-dac,${variant} --baseline vl-dac --seeds 0 --jobs 1`.split(' '),
      ...`--num-envs 2 --steps-per-update 4 --updates 1 --warm-start-examples 64 --evaluation-episodes 2`.split(' '),
      ...['--set', `${variant}.loss.clipHigh=0.1`, '--out', out],
    ];
    let partial = '';
    const file = join(out, 'report.html');
    const stopped = await vlgym(bench, {
      started: (child) => {
        const watcher = watch(out, () => {
          if (partial !== '' || !existsSync(file)) return;
          partial = readFileSync(file, 'utf8');
          child.kill('SIGINT');
        });
        child.once('close', () => watcher.close());
      },
    });
    expect(stopped.stderr).toContain('stopped; the same command continues');
    expect(partial).toContain('Partial: 1 of 2 runs have a result.');
    expect((await vlgym(bench)).code).toBe(0);
    expect(await readFile(file, 'utf8')).not.toContain('Partial');

    const [plain, clipped] = ['vl-dac-0', 'vl-dac_clip0.1-0'].map((name) => join(out, 'vlgym-NumberLine-v1', name));
    const plan = JSON.parse(await readFile(join(clipped!, 'run.json'), 'utf8')) as { effective: { set: unknown } };
    expect(plan.effective.set).toEqual({ loss: { clipHigh: 0.1 } });
    const commands = [
      `eval vlgym/NumberLine-v1 --agent policy --weights ${plain}@1 --episodes 2`,
      `eval vlgym/NumberLine-v1 --agent policy --weights ${plain}/checkpoint-000001 --episodes 2`,
      `compare ${plain} ${clipped}`,
      `export ${plain} --to jsonl --episodes all --out ${out}/data.jsonl`,
      `status ${plain}/checkpoint-000001`,
      `replay ${plain}@latest`,
      `train vl-dac --env vlgym/NumberLine-v1 --start ${plain} --folder ${out}/more --num-envs 2 --steps-per-update 4 --updates 1 --evaluation-episodes 2`,
    ];
    for (const command of commands) {
      const { code, stderr } = await vlgym(command.split(' '));
      expect([command, code, code === 0 ? '' : stderr]).toEqual([command, 0, '']);
    }
  });

  it('sets controls beside the algorithms, each trained from the same seeds, and changes the pictures of all', async () => {
    const out = join(home, 'controls');
    const bench = (...more: string[]) => [
      ...'bench vlgym/NumberLine-v1 --algorithms vl-dac --baseline vl-dac --seeds 0 --num-envs 2'.split(' '),
      ...'--steps-per-update 4 --updates 1 --warm-start-examples 64 --evaluation-episodes 2'.split(' '),
      ...['--out', out],
      ...more,
    ];
    expect((await vlgym(bench())).code).toBe(0);
    const before = await readFile(join(out, 'vlgym-NumberLine-v1', 'vl-dac-0', 'metrics.jsonl'), 'utf8');
    const { code, stdout } = await vlgym(bench('--controls'));
    expect(code).toBe(0);
    // an algorithm that was finished is not trained again; its evaluations with other pictures are added
    expect(await readFile(join(out, 'vlgym-NumberLine-v1', 'vl-dac-0', 'metrics.jsonl'), 'utf8')).toBe(before);
    for (const run of ['vl-dac', 'imitation', 'imitation-expert', 'beta-0', 'placebo']) {
      const { pictures, content } = await readResult(join(out, 'vlgym-NumberLine-v1', `${run}-0`));
      expect(Object.keys(pictures)).toEqual(['blanked', 'shuffled']);
      expect(content.overlap).toBe(0);
    }
    expect(stdout).toMatch(/^VL-DAC − imitation, continued .* cannot tell from one training seed$/m);
    const report = await readFile(join(out, 'report.html'), 'utf8');
    expect(report).toContain('What the controls are');
  });
});

interface Result {
  readonly content: { readonly overlap?: number };
  readonly after: readonly { readonly taskKey: string }[];
  readonly pictures: Readonly<Record<string, unknown>>;
}

const readResult = async (folder: string) => JSON.parse(await readFile(join(folder, 'result.json'), 'utf8')) as Result;
