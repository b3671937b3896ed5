/**
 * Misuse of an environment: restoring garbage, calls before the first reset. It must throw a `GymError` that says what is
 * wrong and keep its state. Nothing may hang or throw any other error.
 */
import type { AnyEnv, EnvSnapshot } from '../env.js';
import { GymError, show } from '../errors.js';
import { Generator } from '../random/generator.js';
import { isRecord } from '../type-tests.js';
import { firstDifference } from './difference.js';
import type { Finding } from './finding.js';
import { playOn, rollout } from './rollout.js';

/** Number of damaged snapshots to try. */
const ATTEMPTS = 40;
const STEPS_BEFORE = 3;
const STEPS_AFTER = 3;

const NOT_SNAPSHOTS: readonly unknown[] = [null, undefined, 42, 'x', [], {}, { kind: 'another/1', state: {} }];
const BAD_VALUES: readonly unknown[] = [null, -1, 0.5, 1e9, -1e308, 1e308, '', 'x', [], {}, true, [[]], undefined];

const unsafe = (message: string): Finding => ({ code: 'SNAPSHOT_UNSAFE', severity: 'error', message });

export async function damagedSnapshotFindings(env: AnyEnv, seed: number): Promise<Finding[]> {
  await rollout(env, { seed }, STEPS_BEFORE);
  const good = throughJson(await env.snapshot!()) as EnvSnapshot;
  const findings: Finding[] = [];
  for (const garbage of NOT_SNAPSHOTS) {
    const { taken, finding } = await tried(env, good, garbage, `restore(${show(garbage)})`);
    if (finding) findings.push(finding);
    if (taken) findings.push(unsafe(`\`restore\` accepted ${show(garbage)}`));
  }
  const rng = new Generator(seed);
  for (let attempt = 0; attempt < ATTEMPTS && findings.length === 0; attempt += 1) {
    const { damaged, where } = damage(good, rng);
    const { taken, finding } = await tried(env, good, damaged, where);
    if (finding) findings.push(finding);
    if (!taken) continue;
    try {
      await playOn(env, STEPS_AFTER);
    } catch (reason) {
      if (!GymError.isInstance(reason))
        findings.push(unsafe(`${where} was accepted, and then the environment threw ${words(reason)}`));
    }
    await env.restore!(good);
  }
  if (findings.length > 0) return findings;
  await env.restore!(good);
  const difference = firstDifference(good, throughJson(await env.snapshot!()), 'snapshot');
  return difference === undefined
    ? []
    : [unsafe(`a good snapshot is not restored after damaged ones were refused (${difference})`)];
}

/** A refused snapshot must give a `GymError` and change nothing. */
async function tried(
  env: AnyEnv,
  good: EnvSnapshot,
  damaged: unknown,
  where: string,
): Promise<{ readonly taken: boolean; readonly finding?: Finding }> {
  try {
    await env.restore!(damaged as EnvSnapshot);
    return { taken: true };
  } catch (reason) {
    if (!GymError.isInstance(reason)) return { taken: false, finding: unsafe(`${where} threw ${words(reason)}`) };
    const difference = firstDifference(good, throughJson(await env.snapshot!()), 'snapshot');
    return difference === undefined
      ? { taken: false }
      : { taken: false, finding: unsafe(`${where} was refused, and changed the environment (${difference})`) };
  }
}

/** A copy with one random part replaced by an invalid value or removed. */
function damage(good: EnvSnapshot, rng: Generator): { readonly damaged: unknown; readonly where: string } {
  const damaged = structuredClone(good) as { state: unknown };
  let holder: object = damaged;
  let key = 'state';
  const path = ['snapshot', 'state'];
  for (;;) {
    const part: unknown = Reflect.get(holder, key);
    const keys = isRecord(part) || Array.isArray(part) ? Object.keys(part) : [];
    if (keys.length === 0 || (path.length > 2 && rng.random() < 0.1)) break;
    holder = part as object;
    key = rng.choice(keys);
    path.push(key);
  }
  const value = rng.choice(BAD_VALUES);
  const kept: unknown = structuredClone(value);
  if (value === undefined && !Array.isArray(holder)) Reflect.deleteProperty(holder, key);
  else Reflect.set(holder, key, kept);
  return { damaged, where: `${path.join('.')} = ${show(value)}` };
}

/** Calls before the first reset must return, or throw an error with the next step. */
export async function beforeResetFindings(env: AnyEnv): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const method of ['actionMask', 'oracle', 'expert', 'render', 'snapshot'] as const) {
    try {
      if (method !== 'render' || env.renderMode !== undefined) await env[method]?.();
    } catch (reason) {
      if (GymError.isInstance(reason)) continue;
      const message = `\`${method}\` before the first reset threw ${words(reason)}, not RESET_NEEDED`;
      findings.push({ code: 'BEFORE_RESET', severity: 'error', message });
    }
  }
  return findings;
}

const words = (reason: unknown): string =>
  reason instanceof Error ? `${reason.name}: ${reason.message}` : show(reason);
const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
