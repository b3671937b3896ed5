/** Opens the source of a run's rollouts: its own environments, in one process or several, or a source of the caller. */
import { type AnyEnv, GymError } from '@vlgym/core';
import { type EarlyEndOptions, earlyEnd } from '@vlgym/core/wrappers';
import { Collector } from '../rollout/collector.js';
import { RelayedSource } from '../rollout/relayed-source.js';
import { SharedCollector, shareOf } from '../rollout/shared-collector.js';
import type { RolloutSource, SourceParts } from '../rollout/source.js';
import { isFirst, type Ranks } from './ranks.js';
import type { TrainOptions } from './types.js';

/**
 * @param environments  Filled with those that this process makes; the caller closes them, after a failure too.
 * @param phase         Begun `phases`; 0 before the first.
 */
export async function openSource(
  options: TrainOptions,
  environments: AnyEnv[],
  parts: SourceParts,
  phase: number,
): Promise<RolloutSource> {
  const { ranks, numEnvs, onTask } = options;
  if (ranks) {
    const source = isFirst(options) ? await options.openSource?.(parts) : undefined;
    // only the first rank knows whether there is one
    const [first] = await ranks.gather(source ? { identity: source.identity } : null);
    if (first) return relayed(options, environments, { ranks, source, identity: first.identity });
  } else if (options.openSource) {
    return options.openSource(parts);
  }
  const [start, end] = ranks ? shareOf(ranks, numEnvs) : [0, numEnvs];
  if (start === end) throw new TooManyRanksError(numEnvs, ranks!.size);
  for (let index = start; index < end; index++) environments.push(await newEnvironment(options, index, phase));
  const policy = parts.policy.localSampler ?? parts.policy;
  const makeEnv = () => newEnvironment(options, numEnvs, phase);
  // a phase counts its episodes from 1 again
  const idPrefix = phase === 0 ? undefined : `phase${phase}-`;
  if (!ranks) return new Collector({ ...parts, policy, environments, makeEnv, idPrefix });
  return new SharedCollector({
    ...parts,
    policy,
    environments,
    makeEnv,
    idPrefix,
    ranks,
    total: numEnvs,
    ...(onTask && { onTask }),
  });
}

async function relayed(
  options: TrainOptions,
  environments: AnyEnv[],
  parts: { ranks: Ranks; source: RolloutSource | undefined; identity: RolloutSource['identity'] },
): Promise<RolloutSource> {
  if (parts.source) return new RelayedSource({ ...parts, dialogue: parts.source.dialogue });
  const template = await newEnvironment(options, 0, 0);
  environments.push(template);
  return new RelayedSource({ ...parts, dialogue: template.dialogue! });
}

async function newEnvironment({ makeEnv, algorithm }: TrainOptions, index: number, phase: number): Promise<AnyEnv> {
  const rules = algorithm.config.rollout.earlyTruncation as EarlyEndOptions | null;
  const env = await makeEnv(index, phase);
  return rules ? earlyEnd(rules)(env) : env;
}

class TooManyRanksError extends GymError {
  constructor(environments: number, ranks: number) {
    super(`${ranks} processes cannot share ${environments} environments.`, {
      code: 'INVALID_OPTION',
      value: environments,
      expected: 'at least one environment for each process',
      hint: 'set `numEnvs` to a multiple of the number of processes',
    });
  }
}
