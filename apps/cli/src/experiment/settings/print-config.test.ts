/** `--print-config` and the help page say what would run. */
import '../../environments.js';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseArguments, validateOptions } from '../../command-line/command.js';
import { train } from '../../commands/train.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vlgym-config-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function printed(...args: string[]): Promise<string> {
  const typed = parseArguments(train, [...args, '--print-config']);
  let text = '';
  const stdout = { write: (more: string) => (text += more) } as unknown as NodeJS.WriteStream;
  const context = { stdout, stderr: stdout, signal: new AbortController().signal, given: typed.given };
  await train.run(validateOptions(train, typed.options), { ...context, commands: () => Promise.resolve([]) });
  return text;
}
const help = async (...args: string[]) => (await train.more!(parseArguments(train, [...args, '--help']))).join('\n');

describe('vlgym train --print-config', () => {
  it('prints every value in force with its origin', async () => {
    const config = join(folder, 'run.yaml');
    await writeFile(config, 'updates: 3\nset: { optimizer.epochs: 5 }');
    const text = await printed(
      'vl-dac',
      '--env',
      'MiniWorld-OneRoomS6Fast-v0',
      '--config',
      config,
      '--set',
      'loss.clipLow=0.2',
    );
    for (const line of [
      /^algorithm: vl-dac +# flag$/m,
      /^model: tiny +# default$/m,
      /^updates: 3 +# file$/m,
      /^numEnvs: 32 +# environment$/m,
      /^ {2}loss\.clipLow: 0\.2 +# flag; the algorithm's own is 0\.1$/m,
      /^ {2}loss\.clipHigh: 0\.1 +# algorithm$/m,
      /^ {2}optimizer\.epochs: 5 +# file; the algorithm's own is 2$/m,
      /^ {2}optimizer\.batch: 64 +# model; the algorithm's own is 16$/m,
      /^ {2}advantage\.gamma: 0\.95 +# environment; the algorithm's own is 0\.995$/m,
      /^warmStartLearningRate: 0\.002 +# environment$/m,
      /^# modelOptimizer\.betas: \[0\.9,0\.99\] +# model$/m,
      /^# modelOptimizer\.eps: 1e-7 +# default$/m,
    ]) {
      expect(text).toMatch(line);
    }
  });

  it.each([
    ['gtr-turbo-kl', '--env', 'vlgym/Points24-v1', '--seed', '7'],
    ['--control', 'beta-0', '--env', 'vlgym/Points24-v1'],
    ['--control', 'imitation', '--env', 'vlgym/EZPoints-v1'],
  ])('is a config file that gives the same values: %s %s', async (...typed) => {
    const text = await printed(...typed);
    const file = join(folder, 'printed.yaml');
    await writeFile(file, text);
    expect(parse(await printed('--config', file))).toEqual(parse(text));
  });

  it('has no lessons of a warm start beside given weights, but those of a control by imitation', async () => {
    const weights = join(folder, 'weights');
    await mkdir(weights);
    await writeFile(join(weights, 'policy.json'), '{}');
    const start = ['--start', weights, '--env', 'vlgym/Points24-v1'];
    const text = await printed('vl-dac', ...start);
    expect(text).toMatch(/^start: .* # flag$/m);
    expect(text).not.toContain('warmStart');
    expect(await printed('--control', 'imitation-expert', ...start)).toMatch(/^warmStartLearningRate: /m);
  });

  it('shows a control as the algorithm and the settings that it is', async () => {
    const text = await printed('--control', 'beta-0');
    expect(text).toMatch(/^ {2}guidance\.klCoefficient: 0 +# control; the algorithm's own is 1$/m);
  });
});

describe('vlgym train --help', () => {
  it('prints what would be in force, and who set it (it printed the algorithm’s own, and trained with others)', async () => {
    const page = await help('--env', 'MiniWorld-OneRoomS6Fast-v0', 'vl-dac', '--model', 'small');
    expect(page).toMatch(/^Hyperparameters of VL-DAC on MiniWorld-OneRoomS6Fast-v0 with the model small/);
    expect(page).toMatch(/^ {2}optimizer\.batch\* +64 +model, not 16 +integer > 0$/m);
    expect(page).toMatch(/^ {2}optimizer\.learningRate\.initial\* +0\.0002 +environment, not 0\.00001 /m);
    expect(page).toMatch(/^ {2}loss\.clipLow +0\.1 +algorithm +number > 0$/m);
    expect(page).toMatch(/^ {2}value\.warmupUpdates +2 +algorithm /m);
  });

  it('points to algorithms where none is named', async () => {
    expect(await help()).toMatch(/vlgym train ALGORITHM --help/);
  });
});
