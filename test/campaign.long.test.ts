/**
 * A slice of the campaign with a fixed seed: kills, two processes on one folder, full disks, jumping clocks, hostile
 * requests, every fuzz target and every kind of environment for a moment. `npm run campaign` goes on from there.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { type Attack, type Finding, reproducer } from './campaign/attack.js';
import { fuzzAll } from './campaign/attacks/fuzz.js';
import { attacks } from './campaign/attacks/index.js';
import { soakAttack } from './campaign/attacks/soak.js';
import { runCampaign, runCase } from './campaign/campaign.js';
import { markdownReport } from './campaign/report.js';
import { openState, saveState } from './campaign/state.js';

// the slice takes about a minute alone; a machine that does other things needs its time
vi.setConfig({ testTimeout: 600_000 });

const SEED = 1;

const named = (name: string): Attack => attacks.find((attack) => attack.name === name)!;
const shown = (attack: string, index: number, findings: readonly Finding[]) =>
  findings.map((finding) => `${finding.title}\n${finding.detail}\n${reproducer({ ...finding, attack, index }, SEED)}`);

describe.each([
  ['kill-training', 2],
  ['kill-evaluation', 2],
  ['two-processes', 2],
  ['full-disk', 2],
  ['clock-jumps', 2],
  ['hostile-http', 1],
  ['hostile-sessions', 3], // silent connections take their ten seconds: the campaign has them
  ['hostile-datasets', 1],
])('%s', (name, cases) => {
  it.for(Array.from({ length: cases }, (_, index) => index))('finds nothing in case %i', async (index, context) => {
    const attack = named(name);
    const reason = attack.unavailable?.();
    context.skip(reason !== undefined, reason);
    const { counts, findings } = await runCase(attack, SEED, index);
    expect(shown(name, index, findings)).toEqual([]);
    expect(Object.keys(counts)).not.toEqual([]);
  });
});

it.each(['parsers', 'spaces', 'snapshots'] as const)('every target of fuzz-%s holds for a moment', async (group) => {
  const folder = await mkdtemp(join(tmpdir(), 'vlgym-slice-'));
  try {
    const { counts, findings } = await fuzzAll(group, SEED, 0.3, folder);
    expect(shown(`fuzz-${group}`, 0, findings)).toEqual([]);
    expect(counts.inputs).toBeGreaterThan(0);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it.each([0, 4, 12])('memory stays flat in environment %i', async (index) => {
  const attack = soakAttack('soak', '', 4, 4000, 1);
  const { counts, findings } = await runCase(attack, SEED, index);
  expect(shown('soak', index, findings)).toEqual([]);
  expect(counts.steps).toBeGreaterThan(0);
});

describe('the campaign itself', () => {
  const attack = (name: string, run: Attack['run']): Attack => ({ name, about: `about ${name}`, run });

  it('goes on where it was stopped, gives every attack its turn, and reports each finding once with its command', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vlgym-slice-'));
    const seeds: number[] = [];
    // three cases of each, however long one takes
    const fair = { least: 3 };
    const found = attack('finder', async ({ seed, index }) => {
      seeds.push(seed);
      const finding = { title: 'it breaks', detail: 'so it does', ...(index === 1 && { input: "a'b" }) };
      return { counts: { tries: 2 }, findings: index < 2 ? [finding] : [] };
    });
    const finder = { ...found, ...fair };
    const thrower = { ...attack('thrower', () => Promise.reject(new TypeError('oops'))), ...fair };
    const absent = { ...attack('absent', async () => ({ counts: {}, findings: [] })), unavailable: () => 'no disk' };
    const all = [finder, thrower, absent];
    const play = async (cases: number) => {
      const state = await openState(folder, SEED, 'abc');
      const stop = new AbortController();
      let left = cases;
      const onCase = async () => {
        await saveState(folder, state);
        left -= 1;
        if (left === 0) stop.abort();
      };
      await runCampaign({ attacks: all, state, minutes: 1, onCase, signal: stop.signal });
      return state;
    };
    try {
      await play(3);
      const state = await play(3);
      expect([state.attacks.finder!.cases, state.attacks.thrower!.cases]).toEqual([3, 3]);
      expect(new Set(seeds).size).toBe(seeds.length); // no case twice
      const report = markdownReport(state, all, 'a machine');
      expect(report).toContain('### finder: it breaks\n\nSeen 2 times.');
      expect(report).toContain('npm run campaign -- --only finder --seed 1 --case 0');
      expect(report).toContain("npm run campaign -- --only finder --input 'a'\\''b'");
      expect(report).toContain('### thrower: the attack itself failed: TypeError');
      expect(report).toContain('not run: no disk');
      await expect(openState(folder, SEED, 'def')).rejects.toMatchObject({ code: 'CAMPAIGN_DIFFERS' });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
