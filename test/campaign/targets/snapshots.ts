/** Snapshots that were tampered with: refused with a typed error, or played on; a good one is accepted afterwards. */
import { fallbackAction } from '@vlgym/agents';
import { type AnyEnv, type EnvSnapshot, Generator, make } from '@vlgym/core';
import fc from 'fast-check';
import { ENVIRONMENTS } from '../support/environments.js';
import { BrokenLaw, type Damage, damage, damaged, type FuzzTarget, fuzzTarget } from '../support/fuzz-target.js';

interface Case {
  readonly seed: number;
  readonly steps: number;
  readonly harm: Damage;
}

const open = new Map<string, AnyEnv>();

export const snapshotTargets: readonly FuzzTarget[] = ENVIRONMENTS.map(({ id, options }) =>
  fuzzTarget({
    name: `snapshot/${id}`,
    input: fc.record({ seed: fc.nat(20), steps: fc.nat(6), harm: damage }),
    call: async ({ seed, steps, harm }: Case) => {
      const env = open.get(id) ?? (await make(id, { options }));
      if (!env.snapshot || !env.restore) return;
      open.delete(id); // only an environment that came through is used again
      await env.reset({ seed });
      await play(env, steps);
      const good = JSON.parse(JSON.stringify(env.snapshot())) as EnvSnapshot;
      try {
        env.restore(damaged(good, harm) as EnvSnapshot);
        await play(env, 4);
      } catch (error) {
        if (!(error instanceof Error && 'code' in error)) throw error;
      }
      try {
        await env.reset({ seed });
        env.restore(good);
      } catch (cause) {
        throw new BrokenLaw('a good snapshot is refused after a bad one', { cause });
      }
      await play(env, 2);
      open.set(id, env);
    },
  }),
);

/** Random play; the first step is drawn without looking, since a restored environment shows nothing. */
async function play(env: AnyEnv, steps: number): Promise<void> {
  const rng = new Generator(1);
  let last: { readonly observation: unknown; readonly info: object } | undefined;
  for (let stepIndex = 0; stepIndex < steps; stepIndex += 1) {
    const context = { ...last, env, rng, stepIndex, history: [], episodeId: 'fuzz' };
    const result = await env.step(last ? fallbackAction(context as never) : env.actionSpace.sample());
    if (result.terminated || result.truncated) return;
    last = result;
  }
}
