/**
 * The checks of `checkEnv`, one claim each. The claims about seeds and shapes follow `gymnasium/utils/env_checker.py`;
 * those about snapshots, masks, oracles, JSON and dialogues are new here.
 */
import type { AnyEnv, RenderMode } from '../env.js';
import { show } from '../errors.js';
import { make, makeFromSpec } from '../registry/make.js';
import { registeredIds } from '../registry/register.js';
import { specToJson } from '../registry/spec/spec-json.js';
import type { DiscreteSpace } from '../spaces/discrete.js';
import { SerialVectorEnv } from '../vector/local-vector-env.js';
import { WorkerVectorEnv } from '../vector/worker-vector-env.js';
import { maskFindings, renderFindings, resetFindings, spaceFindings, stepFindings } from './contract.js';
import { dialogueFindings } from './dialogue-check.js';
import { firstDifference } from './difference.js';
import { differs, type EnvCheck, error, warning, whenNondeterministic, withEnv } from './env-check.js';
import type { Finding } from './finding.js';
import { beforeResetFindings } from './hostile-checks.js';
import { resultChecks } from './result-checks.js';
import { actionsOf, drawAction, rollout, rolloutDifference } from './rollout.js';
import { seedChecks } from './seed-checks.js';
import { snapshotChecks } from './snapshot-checks.js';
import { vectorFindings } from './vector-check.js';

export const envChecks: readonly EnvCheck[] = [
  {
    name: 'has spaces and metadata',
    run: async ({ env }) => [...spaceFindings(env), ...spaceSampleFindings(env), ...metadataFindings(env)],
  },
  {
    name: 'returns what reset and step must return',
    run: async ({ env, seed, steps }) => {
      const first = await env.reset({ seed });
      const findings = resetFindings(first, env);
      if (findings.length > 0) return findings;
      env.actionSpace.seed(seed);
      for (let step = 0; step < steps && findings.length === 0; step += 1) {
        const result = await env.step(drawAction(env));
        findings.push(...stepFindings(result, env));
        if (step === 0 && result.truncated) {
          findings.push(warning('TRUNCATED_TOO_EARLY', 'the first step of the episode was truncated'));
        }
        if (result.terminated || result.truncated) findings.push(...resetFindings(await env.reset(), env));
      }
      return findings;
    },
  },
  ...seedChecks,
  ...resultChecks,
  {
    name: 'renders what its modes promise',
    run: async ({ env, seed }) => {
      await env.reset({ seed });
      const findings = env.renderMode ? renderFindings(await env.render(), env.renderMode, env) : [];
      for (const renderMode of otherModes(env)) {
        findings.push(
          ...(await withEnv(
            async () => make(env.spec!, { renderMode }),
            async (other) => {
              await other.reset({ seed });
              return renderFindings(await other.render(), renderMode, other);
            },
          )),
        );
      }
      return findings;
    },
  },
  {
    name: 'is rebuilt from its spec',
    skip: ({ env }) =>
      env.spec === undefined
        ? 'it was not made from a spec'
        : registeredIds().includes(env.spec.id)
          ? undefined
          : 'its id is not registered',
    run: async (subject) => {
      const { env, seed, steps } = subject;
      const json = specToJson(env.spec!);
      return withEnv(
        async () => makeFromSpec(json),
        async (twin) => {
          const findings = differs(
            'SPEC_NOT_REBUILT',
            'the rebuilt environment has another spec',
            firstDifference(env.spec, twin.spec, 'spec'),
          );
          if (whenNondeterministic(subject) !== undefined) return findings;
          const moves = await rollout(env, { seed }, steps);
          const again = await rollout(twin, { seed }, steps, actionsOf(moves));
          return [
            ...findings,
            ...differs(
              'SPEC_NOT_REBUILT',
              'the rebuilt environment played another episode',
              rolloutDifference(moves, again),
            ),
          ];
        },
      );
    },
  },
  ...snapshotChecks,
  {
    name: 'says before the first reset that it needs one',
    skip: ({ create }) => (create ? undefined : 'it cannot be created again'),
    run: async ({ create }) => withEnv(create!, beforeResetFindings),
  },
  {
    name: 'plays in a vector',
    skip: ({ create }) => (create ? undefined : 'it cannot be created again'),
    run: async ({ create, seed }) => vectorFindings(async () => SerialVectorEnv.create(create!, { numEnvs: 2 }), seed),
  },
  {
    name: 'plays in worker threads',
    skip: ({ env, create, workers }) => {
      if (!workers) return '`workers` was not asked for';
      return create && env.spec?.module !== undefined ? undefined : 'its spec names no module for a thread to import';
    },
    run: async ({ create, seed }) =>
      vectorFindings(async () => WorkerVectorEnv.create(await create!(), { numEnvs: 2, workers: 1 }), seed),
  },
  {
    name: 'has a mask and an oracle that agree with the action space',
    skip: ({ env }) => (env.actionMask || env.oracle ? undefined : 'it has neither mask nor oracle'),
    run: async ({ env, seed, steps }) => {
      const findings: Finding[] = [];
      for (let episode = 0; episode < 4 && findings.length === 0; episode += 1) {
        await env.reset({ seed: seed + episode });
        for (let step = 0; step < steps; step += 1) {
          const mask = env.actionMask?.();
          const expert = env.oracle?.();
          findings.push(...maskFindings(env, mask), ...oracleFindings(env, expert, mask));
          if (findings.length > 0) break;
          const { terminated, truncated } = await env.step(expert === undefined ? drawAction(env) : expert);
          if (terminated || truncated) break;
        }
      }
      return findings;
    },
  },
  {
    name: 'has a dialogue that understands its own demonstrations and survives any text',
    skip: ({ env }) => (env.dialogue ? undefined : 'it has no dialogue'),
    run: async ({ env, seed, steps }) => dialogueFindings(env, seed, Math.min(steps, 10)),
  },
  {
    name: 'closes twice',
    run: async ({ env }) => {
      try {
        await env.close();
        await env.close();
        return [];
      } catch (reason) {
        return [error('CLOSE_FAILED', `\`close\` threw ${show(reason instanceof Error ? reason.message : reason)}`)];
      }
    },
  },
];

function spaceSampleFindings(env: AnyEnv): Finding[] {
  const findings: Finding[] = [];
  for (const name of ['observationSpace', 'actionSpace'] as const) {
    const space = env[name];
    if (typeof space?.sample !== 'function') continue;
    space.seed(0);
    const sample = space.sample();
    if (!space.contains(sample))
      findings.push(error('SPACE_SAMPLE', `${name} drew ${show(sample)}, which it does not contain`));
  }
  return findings;
}

const RENDER_MODES: readonly RenderMode[] = ['rgb_array', 'ansi', 'human'];

function metadataFindings({ metadata }: AnyEnv): Finding[] {
  const modes = metadata?.renderModes;
  if (!Array.isArray(modes)) return [error('METADATA_INVALID', `metadata.renderModes is ${show(modes)}, not a list`)];
  const findings = modes
    .filter((mode) => !RENDER_MODES.includes(mode))
    .map((mode) =>
      error('METADATA_INVALID', `metadata.renderModes holds ${show(mode)}; known are ${RENDER_MODES.join(', ')}`),
    );
  const { renderFps } = metadata;
  if (renderFps !== undefined && !(renderFps > 0)) {
    findings.push(error('METADATA_INVALID', `metadata.renderFps is ${show(renderFps)}, not a positive number`));
  }
  return findings;
}

/** Declared modes other than the one the environment was made with; checking them needs a registered environment. */
function otherModes(env: AnyEnv): readonly RenderMode[] {
  const canMake = env.spec !== undefined && registeredIds().includes(env.spec.id);
  // `human` opens windows
  return canMake ? env.metadata.renderModes.filter((mode) => mode !== env.renderMode && mode !== 'human') : [];
}

function oracleFindings(env: AnyEnv, action: unknown, mask: Uint8Array | undefined): Finding[] {
  if (action === undefined) return [];
  if (!env.actionSpace.contains(action)) {
    return [
      error('ORACLE_ILLEGAL', `\`oracle\` returned ${show(action)}; the action space is ${env.actionSpace.describe()}`),
    ];
  }
  if (!mask || env.actionSpace.type !== 'discrete') return [];
  const { start } = env.actionSpace as unknown as DiscreteSpace;
  return mask[(action as number) - start] === 1
    ? []
    : [error('ORACLE_ILLEGAL', `\`oracle\` returned ${show(action)}, which \`actionMask\` forbids`)];
}
