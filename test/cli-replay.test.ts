/** The command line with files of others, and with output that goes nowhere. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { make } from '@vlgym/core';
import { readTrajectories, TrajectoryWriter } from '@vlgym/core/trajectory';
import '@vlgym/points24';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chatServer } from './support/chat-server.js';
import { vlgym } from './support/vlgym.js';
import { ROOT, requireBuild } from './support/workspaces.js';

const COMMAND = join(ROOT, 'apps/cli/bin/vlgym.js');
const EVAL = ['eval', 'vlgym/EZPoints-v1', '--agent', 'oracle', '--episodes', '2'];

let home = '';
beforeAll(async () => {
  requireBuild();
  home = await mkdtemp(join(tmpdir(), 'vlgym-replay-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

describe('vlgym replay', () => {
  it('shows an episode that was interrupted in the middle of a step', async () => {
    const folder = join(home, 'interrupted');
    await using writer = await TrajectoryWriter.open(folder);
    const env = await make('vlgym/EZPoints-v1');
    const recorder = await writer.start({ env, first: await env.reset({ seed: 1 }), seed: 1 });
    await recorder.step({ truncationReason: 'interrupted' });
    await recorder.end();
    const { code, stdout, stderr } = await vlgym(['replay', folder, '--show']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('(none)');
  });

  it('runs nothing that a file of somebody else names, and what its reader names', async () => {
    const folder = join(home, 'foreign');
    const module = join(home, 'module.mjs');
    const proof = join(home, 'ran');
    const core = pathToFileURL(join(ROOT, 'packages/core/dist/index.js')).href;
    const points = pathToFileURL(join(ROOT, 'packages/envs/points24/dist/index.js')).href;
    await writeFile(
      module,
      `import { writeFileSync } from 'node:fs';
      import { register } from ${JSON.stringify(core)};
      import { EZPointsV1Env } from ${JSON.stringify(points)};
      register({ id: 'foreign/Env-v0', entryPoint: (options) => new EZPointsV1Env(options) });
      writeFileSync(${JSON.stringify(proof)}, '');`,
    );
    await vlgym([...EVAL, '--record', folder]);
    const file = join(folder, 'episodes.jsonl');
    const text = await readFile(file, 'utf8');
    const address = JSON.stringify(pathToFileURL(module).href);
    const named = text.replaceAll(
      '"env":{"id":"vlgym/EZPoints-v1","module":"@vlgym/points24"',
      `"env":{"id":"foreign/Env-v0","module":${address}`,
    );
    expect(named).not.toBe(text);
    await writeFile(file, named);

    const refused = await vlgym(['replay', folder]);
    expect(refused.stdout).toMatch(/^✗ \S+ {2}UNTRUSTED_SPEC$/m);
    expect(refused.stderr).toMatch(/^UNTRUSTED_SPEC .*`module`[\s\S]*hint: \S/);
    expect(refused.code).toBe(1);
    expect(existsSync(proof)).toBe(false);

    const trusted = await vlgym(['replay', folder, '--import', module]);
    expect(trusted.stderr).toBe('');
    expect(trusted.stdout).toContain('2 of 2 episodes agree');
    expect(existsSync(proof)).toBe(true);
  });

  it('prints nothing that a terminal would obey', async () => {
    const folder = join(home, 'escapes');
    await vlgym([...EVAL, '--record', folder]);
    const file = join(folder, 'episodes.jsonl');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replaceAll(/"actionText":"[^"]*"/g, '"actionText":"\\u001b]52;c;cm0gLXJmIH4=\\u0007"'));
    const { stdout } = await vlgym(['replay', folder, '--show']);
    expect(stdout).toContain('52;c;cm0gLXJmIH4=');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
    expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f]/);
  });
});

it('a key that a server repeats is neither printed nor recorded', async () => {
  const key = 'hunter2-of-no-known-shape';
  const server = await chatServer(
    () => (response) => void response.writeHead(401).end(JSON.stringify({ error: { message: `bad key ${key}` } })),
  );
  const folder = join(home, 'secrets');
  const args = ['eval', 'vlgym/NumberLine-v1', '--agent', 'openai', '--model', 'm', '--base-url', server.url];
  const { stdout, stderr } = await vlgym([...args, '--episodes', '2', '--record', folder], {
    env: { OPENAI_API_KEY: key },
  });
  await server.close();
  expect(stderr).toContain('HTTP 401: bad key [redacted]');
  const recorded = await readFile(join(folder, 'episodes.jsonl'), 'utf8').catch(() => ''); // it may stop before the first
  expect(stdout + stderr + recorded).not.toContain('hunter2');
});

describe('output that goes nowhere', () => {
  it('ends no evaluation when nobody reads its messages any more', async () => {
    const child = spawn(process.execPath, [COMMAND, ...EVAL], {
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stderr.destroy();
    let stdout = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    const [code] = await once(child, 'close');
    expect(stdout).toMatch(/success +100\.0 %/);
    expect(code).toBe(0);
  });

  it.skipIf(!existsSync('/dev/full'))('is said in words on a full disk, and the recording is whole', async () => {
    const folder = join(home, 'full');
    const line = 'exec "$0" "$@" > /dev/full';
    const run = promisify(execFile)('sh', ['-c', line, process.execPath, COMMAND, ...EVAL, '--record', folder], {
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    const error = await run.catch((failure) => failure);
    expect(error.code).toBe(1);
    expect(error.stderr).toMatch(/OUTPUT_FAILED .*ENOSPC/);
    expect(error.stderr).not.toMatch(/^\s+at /m);
    let successes = 0;
    for await (const { outcome } of readTrajectories(folder)) successes += outcome.success ? 1 : 0;
    expect(successes).toBe(2);
  });
});
