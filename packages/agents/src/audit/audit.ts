/**
 * An audit of an environment: agents without a skill, an expert, and a search for reward, with a verdict for each. It looks for
 * what trainers find weeks later: rewards that are not for the task, answers that the prompt gives away, seeds without a
 * solution, resets that remember.
 */
import { type AnyEnv, type Awaitable, type CheckReport, checkEnv, checkedInteger } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import type { AnyAgent } from '../agent.js';
import { evaluate } from '../evaluate/evaluate.js';
import type { Evaluation } from '../evaluate/types.js';
import { oracleAgent } from '../oracle-agent.js';
import { randomAgent } from '../random-agent.js';
import { allowedAgent, claimingAgent, constantAgents, parrotAgent, repeatingAgent, silentAgent } from './probes.js';
import { resetLeaks } from './reset-leaks.js';
import { type FoundReward, searchReward } from './reward-search.js';
import { claimsAsActionsAgent, injectingAgent, listingAgent, writingAgent } from './text-probes.js';
import { type AuditFinding, findingsOf } from './verdicts.js';

export interface AuditOptions {
  /** Episodes of every agent, on seeds 0, 1, 2, …; default 40. */
  readonly episodes?: number | undefined;
  /** Steps of the search for reward, over all of its seeds; default 4000. */
  readonly searchSteps?: number | undefined;
  /** Turns after which an episode is cut, unless the expert plays it; default 200. */
  readonly maxSteps?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called before each part. */
  readonly onProgress?: ((part: string) => void) | undefined;
}

/** The scores of one agent. */
export interface ProbeScore {
  readonly agent: string;
  readonly episodes: number;
  readonly successRate: number;
  readonly meanReturn: number;
  /** The highest return of an episode without success. */
  readonly bestFailedReturn?: number;
}

export interface AuditReport {
  readonly environment: string;
  readonly findings: readonly AuditFinding[];
  readonly scores: readonly ProbeScore[];
  /** The best that the search for reward found on each of its seeds; empty if it was left out. */
  readonly searched: readonly FoundReward[];
  /** Seeds that the expert did not solve. */
  readonly unsolved: readonly number[];
  /** Parts that were left out, and why. */
  readonly skipped: readonly string[];
}

const AUDIT_OPTIONS = names<AuditOptions>({ episodes: 0, searchSteps: 0, maxSteps: 0, signal: 0, onProgress: 0 });
const SEARCH_SEEDS = 8;
const LEAK_SEEDS = 3;

/**
 * Audits an environment. Nothing in it is random but what the seeds say: the same call finds the same.
 *
 * @param makeEnv  Makes a new environment; all that are made are closed.
 * @throws {InvalidOptionError} An option is invalid.
 *
 * @example const { findings } = await auditEnv(() => make('vlgym/Points24-v1'));
 */
export async function auditEnv(makeEnv: () => Awaitable<AnyEnv>, options: AuditOptions = {}): Promise<AuditReport> {
  checkNames('options', options, AUDIT_OPTIONS);
  const episodes = checkedInteger('episodes', options.episodes ?? 40, 1, 10_000);
  const searchSteps = checkedInteger('searchSteps', options.searchSteps ?? 4000, 0, 10_000_000);
  const maxSteps = checkedInteger('maxSteps', options.maxSteps ?? 200, 1, 100_000);
  const { signal, onProgress } = options;
  const env = await makeEnv();
  const skipped: string[] = [];
  try {
    const environment = env.spec?.id ?? env.unwrapped.constructor.name;
    const play = async (agent: AnyAgent): Promise<Evaluation> => {
      signal?.throwIfAborted();
      onProgress?.(agent.name);
      return evaluate({ env, agent, episodes, maxSteps, signal });
    };
    // what an environment throws at agents is in their scores
    const attempt = async <T>(part: string, probe: () => Promise<T[]>): Promise<T[]> => {
      try {
        return await probe();
      } catch (error) {
        skipped.push(`${part}: the environment failed: ${error instanceof Error ? error.message : String(error)}`);
        return [];
      }
    };
    const speaks = env.dialogue !== undefined;
    if (!speaks) skipped.push('agents that write or are silent: the environment has no dialogue');
    const hasExpert = env.oracle !== undefined;
    if (!hasExpert) skipped.push('gap to an expert and unsolved seeds: the environment has no oracle');
    const expert = hasExpert ? await evaluate({ env, agent: oracleAgent(), episodes, signal }) : undefined;
    const random = await play(randomAgent());
    const wordless: Evaluation[] = [];
    const claims = env.actionSpace.toJSON().type === 'text' ? [claimsAsActionsAgent()] : [];
    for (const agent of speaks ? [silentAgent(), claimingAgent(), ...claims] : claims) wordless.push(await play(agent));
    const unskilled: Evaluation[] = [];
    const listing = speaks ? [listingAgent()] : [];
    for (const agent of [...constantAgents({ env }), repeatingAgent(), allowedAgent(), ...listing])
      unskilled.push(await play(agent));
    const writing = speaks ? await play(writingAgent()) : undefined;
    const injecting = speaks ? await play(injectingAgent()) : undefined;
    const parrot = speaks ? await play(parrotAgent()) : undefined;

    onProgress?.('search for reward');
    signal?.throwIfAborted();
    if (!env.snapshot) skipped.push('search for reward: the environment has no snapshots');
    const seeds = Array.from({ length: SEARCH_SEEDS }, (_, seed) => seed);
    const searched = await attempt('search for reward', () =>
      searchReward(env, { seeds, budget: searchSteps, maxSteps }),
    );
    onProgress?.('leaks between resets');
    const isRandom = env.spec?.nondeterministic === true;
    if (isRandom) skipped.push('leaks between resets: the spec says nondeterministic');
    const leaks = await attempt('leaks between resets', async () =>
      isRandom ? [] : resetLeaks({ env, makeEnv, seeds: seeds.slice(0, LEAK_SEEDS), maxSteps }),
    );
    onProgress?.('contract');
    const contract: CheckReport = await checkEnv(makeEnv, { throws: false });

    const failed = expert?.episodes.filter(({ success }) => !success).map(({ seed }) => seed) ?? [];
    const played = { expert, random, wordless, unskilled, parrot, writing, injecting, searched, leaks, contract };
    const all = [expert, random, ...wordless, ...unskilled, parrot, writing, injecting].filter(
      (each) => each !== undefined,
    );
    return { environment, findings: findingsOf(played), scores: all.map(scoreOf), searched, unsolved: failed, skipped };
  } finally {
    await env.close();
  }
}

function scoreOf({ agent, episodes, successRate, meanReturn }: Evaluation): ProbeScore {
  const failed = episodes.filter(({ success, counted }) => counted && !success).map((row) => row.return);
  const best = failed.length > 0 && { bestFailedReturn: Math.max(...failed) };
  return { agent, episodes: episodes.length, successRate, meanReturn, ...best };
}
