/** A snapshot holds everything; damaged ones change nothing. */
import type { AnyEnv, EnvSnapshot } from '../env.js';
import { firstDifference } from './difference.js';
import { differs, type EnvCheck, error, throughJson, withEnv } from './env-check.js';
import { damagedSnapshotFindings } from './hostile-checks.js';
import { actionsOf, playOn, rollout, rolloutDifference } from './rollout.js';

export const snapshotChecks: readonly EnvCheck[] = [
  {
    name: 'continues exactly from a snapshot',
    skip: ({ env }) => (env.snapshot || env.restore ? undefined : 'it has no snapshots'),
    run: async ({ env, create, seed, steps }) => {
      if (!env.snapshot || !env.restore) {
        return [error('SNAPSHOT_INCOMPLETE', `it has ${env.snapshot ? 'snapshot' : 'restore'} without the other`)];
      }
      const half = Math.max(1, Math.floor(steps / 2));
      await rollout(env, { seed }, half);
      const snapshot = await env.snapshot();
      const traveled = throughJson(snapshot) as EnvSnapshot;
      const findings = differs(
        'SNAPSHOT_NOT_JSON',
        'a snapshot changes on its way through JSON',
        firstDifference(snapshot, traveled, 'snapshot'),
      );
      if (findings.length > 0) return findings;
      const onwards = await playOn(env, half);
      const compare = async (restored: AnyEnv, where: string) => {
        await restored.restore!(traveled);
        const again = await playOn(restored, half, actionsOf(onwards));
        return differs(
          'SNAPSHOT_INCOMPLETE',
          `restored ${where}, it went on differently`,
          rolloutDifference(onwards, again),
        );
      };
      findings.push(...(await compare(env, 'in place')));
      if (create) {
        findings.push(
          ...(await withEnv(create, async (twin) => {
            await twin.reset({ seed: seed + 1 });
            return compare(twin, 'into another instance');
          })),
        );
      }
      return findings;
    },
  },
  {
    name: 'refuses damaged snapshots and stays as it was',
    skip: ({ env }) => (env.snapshot && env.restore ? undefined : 'it has no snapshots'),
    run: async ({ env, seed }) => damagedSnapshotFindings(env, seed),
  },
];
