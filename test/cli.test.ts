/** The command line as a person meets it: every claim is about a process, its output, its exit code. */
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTrajectories } from '@vlgym/core/trajectory';
import { createPolicy } from '@vlgym/models';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { chatServer } from './support/chat-server.js';
import { vlgym } from './support/vlgym.js';

vi.setConfig({ testTimeout: 300_000 }); // a process takes as long as the machine lets it

let home = '';
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'vlgym-cli-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

describe('vlgym', () => {
  it('lists its commands, and explains each', async () => {
    const overview = await vlgym(['--help']);
    expect(overview.stdout).toMatch(/^ {2}quickstart {2}\S/m);
    expect(await vlgym([])).toEqual(overview);
    const page = await vlgym(['eval', '--help']);
    expect(page).toMatchObject({ code: 0, stdout: expect.stringMatching(/^vlgym eval \[ENV\]/), stderr: '' });
    expect(await vlgym(['help', 'eval'])).toEqual(page);
  });

  it('stops quietly when its reader has seen enough', async () => {
    const { code, stderr } = await vlgym(['--help'], { started: (child) => child.stdout?.destroy() });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  // apps/cli/src/command-line/command.test.ts has the whole table
  it.each<[what: string, args: string[], says: RegExp]>([
    ['an unknown command', ['evl'], /^USAGE .*"evl".*\n.*did you mean "eval"\?\n$/],
    ['an unknown option', ['eval', '--agnt', 'oracle'], /^USAGE .*"--agnt".*\n.*did you mean "--agent"\?\n$/],
    ['a missing companion', ['eval', '--agent', 'policy'], /^USAGE .*needs --weights/],
    ['resuming from nowhere', ['eval', '--resume'], /^USAGE .*needs --record/],
    ['an unknown algorithm', ['train', 'vl-dca'], /^USAGE .*"vl-dca"[\s\S]*did you mean "vl-dac"\?/],
    ['one among others', ['bench', '--algorithms', 'vl-dac,rl4vml'], /did you mean "rl4vlm"\?/],
    [
      'an option of another protocol',
      ['serve', 'ezpoints', '--protocol', 'gymnasium', '--face', 'native'],
      /^USAGE --face native is not used by --protocol gymnasium/,
    ],
    [
      'options of an environment that does not take part',
      ['bench', 'EZPoints', 'NumberLine', '--env-options', 'Blackjack:observation=text'],
      /^USAGE .*"Blackjack", which neither trains nor judges/,
    ],
  ])('ends with exit code 2 and says what to type: %s', async (_, args, says) => {
    const { code, stdout, stderr } = await vlgym(args);
    expect(stderr).toMatch(says);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it.each([['eval'], ['play'], ['train', '--env'], ['bench']])('knows no such environment: %s', async (...command) => {
    const { code, stdout, stderr } = await vlgym([...command, 'vlgym/EZPoint-v1']);
    expect(stderr).toMatch(/^UNKNOWN_ENV .*"vlgym\/EZPoint-v1".*\n.*did you mean "vlgym\/EZPoints-v1"\?/);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });

  it('refuses options that the environment or the algorithm does not have', async () => {
    const game = await vlgym(['eval', '--env-options', '{"solvableOny": true}']);
    expect(game.stderr).toMatch(/^UNKNOWN_OPTION .*\n.*did you mean "solvableOnly"\?/);
    const choice = await vlgym(['train', '--set', '{"los": {}}']);
    expect(choice.stderr).toMatch(/^INVALID_CONFIG .*"los"[\s\S]*did you mean "loss"\?/);
    expect([game.code, choice.code]).toEqual([1, 1]);
  });
});

describe('vlgym eval', () => {
  it('records what replay verifies, and replay sees what was changed', async () => {
    const folder = join(home, 'recorded');
    const played = await vlgym('eval vlgym/EZPoints-v1 --agent oracle --episodes 5 --record'.split(' ').concat(folder));
    expect(played.stdout).toMatch(/success +100\.0 % .* 5 episodes/);
    expect(played.code).toBe(0);

    const verified = await vlgym(['replay', folder, '--show']);
    expect(verified.stdout).toContain('5 of 5 episodes agree');
    expect(verified.code).toBe(0);
    expect((await vlgym(['replay', folder, '--limit', '2'])).stdout).toContain('2 of 2 episodes agree');

    const file = join(folder, 'episodes.jsonl');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('"reward":10', '"reward":11'));
    const changed = await vlgym(['replay', folder]);
    expect(changed.stdout).toMatch(/✗ .* reward was 11, is 10/);
    expect(changed.stdout).toContain('4 of 5 episodes agree');
    expect(changed.code).toBe(1);
  });

  it('cannot replay what is not there', async () => {
    const { code, stderr } = await vlgym(['replay', join(home, 'nowhere')]);
    expect(stderr).toMatch(/^USAGE .*nowhere does not exist\.\n[\s\S]*hint: \S/);
    expect(code).toBe(2);
  });

  it.each([
    ['of another kind', 'CHECKPOINT_DAMAGED', 1, (folder: string) => writeFile(join(folder, 'policy.json'), '{}')],
    [
      'cut short',
      'CHECKPOINT_DAMAGED',
      1,
      async (folder: string) => {
        const file = (await readdir(folder)).find((name) => name.endsWith('.safetensors'));
        await truncate(join(folder, file!), 5000);
      },
    ],
    ['not there', 'USAGE', 2, (folder: string) => rm(folder, { recursive: true })],
  ])('refuses weights that are %s', async (_, expected, exitCode, damage) => {
    const folder = await mkdtemp(join(home, 'weights-'));
    const policy = await createPolicy({ preset: 'tiny', seed: 1 });
    await policy.save(folder);
    policy.close();
    await damage(folder);
    const { code, stdout, stderr } = await vlgym(['eval', '--agent', 'policy', '--weights', folder]);
    expect(stderr).toMatch(new RegExp(`^${expected} .*\\n[\\s\\S]*hint: \\S`));
    expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' });
  });

  it('reports a model that talks nonsense', async () => {
    const server = await chatServer(() => '<<<');
    const args = ['eval', 'vlgym/NumberLine-v1', '--agent', 'openai', '--model', 'm', '--base-url', server.url];
    const { code, stdout, stderr } = await vlgym([...args, '--episodes', '4']);
    await server.close();
    expect(stdout).toMatch(/legal +0\.0 %/);
    expect(stderr).not.toMatch(/^\s+at /m); // no stack
    expect(code).toBe(0);
  });

  it('stops at an address without a chat server', async () => {
    const server = await chatServer(() => (response: ServerResponse) => void response.writeHead(404).end('<html>'));
    const args = ['eval', 'vlgym/NumberLine-v1', '--agent', 'openai', '--model', 'm', '--base-url', server.url];
    const { code, stdout, stderr } = await vlgym([...args, '--episodes', '4']);
    await server.close();
    expect(stderr).toMatch(/^MODEL_NOT_FOUND .*\n {2}hint: check the name of the model and the address of the server/m);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });

  it('stops at Ctrl-C with exit code 130 and the command that goes on, and goes on', async () => {
    const folder = join(home, 'stopped here'); // a path that a shell would split
    let press = () => {};
    const server = await chatServer((request) => {
      if (request <= 12) return '{"thoughts": "to the right", "action": "+"}';
      press();
      return undefined; // no answer: the run waits, at least one episode is played (none is longer than ten steps)
    });
    const args = ['eval', 'vlgym/NumberLine-v1', '--agent', 'openai', '--model', 'm', '--base-url', server.url];
    const rest = ['--episodes', '12', '--parallel', '1', '--record', folder];
    const stopped = await vlgym([...args, ...rest], {
      started: (child) => {
        press = () => child.kill('SIGINT');
      },
    });
    expect(stopped.code).toBe(130);
    expect(stopped.stderr).toMatch(
      /stopped after \d+ of 12 episodes; continue with: vlgym eval .* '.*stopped here' --resume/,
    );

    server.answer = () => '{"thoughts": "to the right", "action": "+"}';
    const resumed = await vlgym([...args, ...rest, '--resume']);
    await server.close();
    expect(resumed.stdout).toMatch(/success .* 12 episodes/);
    expect(resumed.code).toBe(0);
  });
});

describe('vlgym play', () => {
  const game = ['play', 'vlgym/EZPoints-v1', '--seed', '3'];

  it('answers :hint and leaves at :quit', async () => {
    const { code, stdout } = await vlgym(game, { input: ':hint\n:quit\n' });
    expect(stdout).toMatch(/Actions:\s+1 +2 +3 /);
    expect(stdout).toMatch(/> Hint: \S+\n/);
    expect(stdout).toContain('Left. Return 0 in 0 steps.');
    expect(code).toBe(0);
  });

  it('explains an invalid action, and leaves at the end of the input', async () => {
    const { code, stdout } = await vlgym(game, { input: 'eleven\n' });
    expect(stdout).toMatch(/"eleven"/);
    expect(stdout).toContain('Left. Return 0 in 0 steps.');
    expect(code).toBe(0);
  });

  it('is solved by the actions of the expert', async () => {
    const folder = join(home, 'expert');
    await vlgym(['eval', ...game.slice(1), '--agent', 'oracle', '--episodes', '1', '--record', folder]);
    const actions: string[] = [];
    for await (const { steps } of readTrajectories(folder)) actions.push(...steps.map((step) => step.actionText ?? ''));
    const { code, stdout } = await vlgym(game, { input: `${actions.join('\n')}\n` });
    expect(stdout).toContain(`Solved. Return 10 in ${actions.length} steps.`);
    expect(code).toBe(0);
  });
});

describe('vlgym play on a page', () => {
  it('prints the address of the page, serves it to who knows it, and stops at Ctrl-C', async () => {
    let page: Promise<string> | undefined;
    const { code, stdout } = await vlgym(['play', 'miniworld/Hallway', '--no-open'], {
      started: (child) =>
        child.stdout?.on('data', (text) => {
          page ??= fetch(/http:\S+/.exec(String(text))![0]).then((response) => response.text());
          void page.finally(() => child.kill('SIGINT'));
        }),
    });
    expect(await page!).toContain('<title>vlgym play</title>');
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{24}\/\n/);
    expect(code).toBe(130);
  });

  it.each([
    [['play', '--temperature', '0'], 2, /--temperature 0 is not used by a person/],
    [['play', '--weights', 'no-such-run', '--no-open'], 2, /no-such-run/],
    [['play', 'miniworld/Halway'], 1, /did you mean "miniworld\/Hallway"\?/],
    [['play', 'webshop', '--episodes', '2'], 2, /add --terminal/],
    [['play', '--page', '--terminal'], 2, /exclude each other/],
  ])('says what to type instead of %j', async (args, exitCode, says) => {
    const { code, stderr } = await vlgym(args);
    expect(stderr).toMatch(says);
    expect(code).toBe(exitCode);
  });
});

describe('vlgym doctor', () => {
  it('says of every part whether it is there', async () => {
    const { code, stdout } = await vlgym(['doctor']);
    for (const part of ['vlgym', 'node', 'machine', 'libtorch', 'addon', 'loads']) {
      expect(stdout).toMatch(new RegExp(`^✓ ${part} `, 'm'));
    }
    expect(stdout).toContain('Ready to train.');
    expect(code).toBe(0);
    expect(await vlgym(['doctor', '--quiet'])).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('says what is missing and what to type', async () => {
    const { code, stdout } = await vlgym(['doctor'], { env: { LIBTORCH: join(home, 'no-torch') } });
    expect(stdout).toMatch(/^✗ libtorch .*\n +\S/m);
    expect(stdout).toContain('Environments and agents work');
    expect(code).toBe(1);
  });
});
