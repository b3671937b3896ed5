/** `vlgym runs prune`, `archive` and `restore`: what is deleted, what never is, and that an archive opens again. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockFolder } from '@vlgym/core/internal';
import { listRuns } from '@vlgym/viewer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRun, playInto, toolAgent } from '../../../viewer/test-support/make-run.js';
import { type CommandContext, parseOptions } from '../command-line/command.js';
import { runs } from '../commands/recordings/runs.js';
import { ArchiveError, openArchive } from './archive.js';

const home = mkdtempSync(join(tmpdir(), 'vlgym-runs-'));
const root = join(home, 'runs');
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function vlgym(...words: string[]): Promise<{ readonly out: string; readonly err: string }> {
  const texts = { out: '', err: '' };
  const to = (name: 'out' | 'err') => ({
    write: (text: string) => {
      texts[name] += text;
      return true;
    },
  });
  const context = { stdout: to('out'), stderr: to('err'), signal: new AbortController().signal, given: {} };
  await runs.run(parseOptions(runs, words) as never, context as unknown as CommandContext);
  return texts;
}

beforeAll(async () => {
  await makeRun(join(root, 'done'), { seeds: [0, 1], recorded: [5] });
  await makeRun(join(root, 'stopped'), { seeds: [0], isDone: false });
  await makeRun(join(root, 'working'), { seeds: [0], isDone: false });
  await playInto(join(root, 'tools'), toolAgent, [0]);
});

describe('an archive', () => {
  it('opens again with everything that the page shows, and leaves out what is being written', async () => {
    const lock = await lockFolder(join(root, 'working'), 'run');
    const file = join(home, 'all.tar.gz');
    const { out, err } = await vlgym('archive', root, '--out', file);
    expect(out).toContain('3 runs');
    expect(err).toContain(`left out ${join(root, 'working')}: a process writes into it`);
    await lock.release();
    const folder = join(home, 'restored');
    await vlgym('restore', file, '--out', folder);
    const before = (await listRuns([root])).runs.filter(({ name }) => name !== 'working');
    const after = (await listRuns([folder])).runs;
    const facts = (list: typeof after) => list.map(({ id: _, folder: __, changedAt: ___, ...run }) => run);
    const byName = (list: typeof after) => facts(list).sort((a, b) => a.name.localeCompare(b.name));
    expect(byName(after)).toEqual(byName(before));
    const update = 'training/update-000005.jsonl';
    expect(readFileSync(join(folder, 'done', update))).toEqual(readFileSync(join(root, 'done', update)));
    expect(existsSync(join(folder, 'done', '.run.lock'))).toBe(false);
    await expect(vlgym('restore', file, '--out', folder)).rejects.toThrow(/exists already/);
    await expect(vlgym('archive', root, '--out', file)).rejects.toThrow(/exists already/);
  });

  it('of a single run keeps its name', async () => {
    const file = join(home, 'one.tar.gz');
    await vlgym('archive', join(root, 'done'), '--out', file);
    await vlgym('restore', file, '--out', join(home, 'one'));
    expect((await listRuns([join(home, 'one')])).runs).toMatchObject([{ name: 'done', state: 'done' }]);
  });

  it('that was cut off is refused with its name', async () => {
    const file = join(home, 'cut.tar.gz');
    await vlgym('archive', join(root, 'done'), '--out', file);
    writeFileSync(file, readFileSync(file).subarray(0, 2000));
    await expect(openArchive(file, join(home, 'cut'))).rejects.toThrow(ArchiveError);
  });
});

it('an archive of more files than its size allows for is refused', async () => {
  const file = join(home, 'many.tar.gz');
  await vlgym('archive', join(root, 'done'), '--out', file);
  await expect(openArchive(file, join(home, 'few'), -1e6)).rejects.toThrow(
    /many\.tar\.gz cannot be opened: it holds more/,
  );
});

it('a pipe with the name of an archive is refused, not waited for', async () => {
  const pipe = join(home, 'pipe.tar.gz');
  execFileSync('mkfifo', [pipe]);
  await expect(openArchive(pipe, join(home, 'pipe'))).rejects.toThrow(/not a regular file/);
});

describe('prune', () => {
  it('says what it would delete, and deletes it only with --yes', async () => {
    const dry = await vlgym('prune', root, '--state', 'stopped');
    expect(dry.out).toContain(`would delete ${join(root, 'stopped')}`);
    expect(dry.out).toContain('nothing was deleted, --yes does it');
    expect(existsSync(join(root, 'stopped', 'run.json'))).toBe(true);
    const lock = await lockFolder(join(root, 'working'), 'run');
    await vlgym('prune', root, '--state', 'stopped', '--yes');
    await lock.release();
    expect(existsSync(join(root, 'stopped'))).toBe(false);
    expect(existsSync(join(root, 'working', 'run.json'))).toBe(true);
    expect(existsSync(join(root, 'done', 'run.json'))).toBe(true);
  });

  it('takes those that have not changed for some days', async () => {
    const old = new Date(Date.now() - 40 * 86_400_000);
    for (const name of readdirSync(join(root, 'tools'))) utimesSync(join(root, 'tools', name), old, old);
    expect((await vlgym('prune', root, '--older-than', '30')).out).toMatch(/^would delete .*tools .*\n1 run,/);
  });

  it('never deletes a run that a process writes into, nor a folder that holds another run', async () => {
    await makeRun(join(root, 'tools', 'inner'), { seeds: [0], isDone: false });
    const lock = await lockFolder(join(root, 'working'), 'run');
    const { out, err } = await vlgym('prune', root, '--older-than', '0', '--yes');
    await lock.release();
    expect(err).toContain(`kept ${join(root, 'working')}: a process writes into it`);
    expect(err).toContain(`kept ${join(root, 'tools')}: it holds another`);
    expect(out).toContain(`deleted ${join(root, 'done')}`);
    expect(existsSync(join(root, 'working', 'run.json'))).toBe(true);
    expect(existsSync(join(root, 'tools', 'episodes.jsonl'))).toBe(true);
  });

  it('without a choice deletes nothing', async () => {
    await expect(vlgym('prune', root, '--yes')).rejects.toThrow(/needs --state or --older-than/);
  });
});
