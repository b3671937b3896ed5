/**
 * Runs attacks for a while: each gets its share of the time, every case is one of a fixed list, and what is done is
 * written down after each, so that a campaign that was stopped goes on with the next case.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Generator } from '@vlgym/core';
import type { Attack, CaseResult, Finding } from './attack.js';
import type { AttackState, CampaignState } from './state.js';

export interface CampaignOptions {
  readonly attacks: readonly Attack[];
  readonly state: CampaignState;
  readonly minutes: number;
  /** Called after each case. */
  readonly onCase: (attack: Attack, index: number, result: CaseResult) => Promise<void> | void;
  /** Stops after the running case. */
  readonly signal?: AbortSignal;
}

/** Runs cases until the time is up; the one that runs then ends first. */
export async function runCampaign({ attacks, state, minutes, onCase, signal }: CampaignOptions): Promise<void> {
  const deadline = performance.now() + minutes * 60_000;
  for (const attack of attacks) {
    const reason = attack.unavailable?.();
    state.attacks[attack.name] ??= { cases: 0, seconds: 0, counts: {} };
    delete state.attacks[attack.name]!.unavailable;
    if (reason !== undefined) state.attacks[attack.name]!.unavailable = reason;
  }
  const available = attacks.filter(({ name }) => state.attacks[name]!.unavailable === undefined);
  while (available.length > 0 && performance.now() < deadline && !signal?.aborted) {
    const attack = next(available, state.attacks);
    const own = state.attacks[attack.name]!;
    const start = performance.now();
    const result = await runCase(attack, state.seed, own.cases);
    own.seconds += (performance.now() - start) / 1000;
    for (const [unit, count] of Object.entries(result.counts)) own.counts[unit] = (own.counts[unit] ?? 0) + count;
    for (const finding of result.findings) state.findings.push({ attack: attack.name, index: own.cases, ...finding });
    own.cases += 1;
    await onCase(attack, own.cases - 1, result);
  }
}

/** One case; an attack that throws has found something, if only in itself. */
export async function runCase(attack: Attack, seed: number, index: number): Promise<CaseResult> {
  const caseSeed = seedOf(seed, attack.name, index);
  const folder = await mkdtemp(join(tmpdir(), 'vlgym-campaign-'));
  try {
    return await attack.run({ seed: caseSeed, index, rng: new Generator(caseSeed), folder });
  } catch (error) {
    return { counts: {}, findings: [thrown(error)] };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function thrown(error: unknown): Finding {
  const { name, stack } = error instanceof Error ? error : new Error(String(error));
  return { title: `the attack itself failed: ${name}`, detail: stack ?? String(error) };
}

/** Whoever is furthest behind its share of the time, of those first that have not had their least number of cases. */
function next(attacks: readonly Attack[], states: Readonly<Record<string, AttackState>>): Attack {
  const due = attacks.filter(({ name, least = 1 }) => states[name]!.cases < least);
  const spent = ({ name, weight = 1 }: Attack) => states[name]!.seconds / weight;
  return (due.length > 0 ? due : attacks).reduce((best, attack) => (spent(attack) < spent(best) ? attack : best));
}

/** Equal for equal arguments, and unrelated for others (FNV-1a, 32 bits). */
function seedOf(seed: number, name: string, index: number): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(`${seed}/${name}/${index}`)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 1;
}
