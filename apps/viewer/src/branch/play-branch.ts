/**
 * Continues a recorded episode from one of its steps: the steps before are played again and compared, the step itself may be
 * replaced by another answer, and an agent or the recording plays the rest. `actions.test.ts` replays branches.
 */
import { type AnyAgent, Episode, type Fallback, readAction } from '@vlgym/agents';
import { type AnyEpisode, type Decision, ForkDiffersError, playTurns } from '@vlgym/agents/episode';
import type { AnyEnv } from '@vlgym/core';
import {
  digestObservation,
  type EpisodeRecorder,
  type EpisodeStart,
  type EpisodeStep,
  type Trajectory,
  type TrajectoryStep,
} from '@vlgym/core/trajectory';
import type { EpisodeRow } from '../protocol.js';

/** A recording; without its first observation nothing is compared with it, so that another seed can be played. */
export type PlayedBefore = Pick<Trajectory, 'id' | 'seed' | 'options' | 'steps'> &
  Partial<Pick<Trajectory, 'observation'>>;

export interface BranchPlan {
  readonly trajectory: PlayedBefore;
  /** Default: that of the recording, and the step. */
  readonly id?: string | undefined;
  /** Step that is replaced. */
  readonly at: number;
  /** The answer in place of the recorded one; without it the agent answers there, too. */
  readonly response: string | undefined;
  /** Plays after the replaced step. */
  readonly agent: AnyAgent | undefined;
  /** Without an agent: play the recorded actions after it, as far as the episode goes on. */
  readonly follow: boolean;
  readonly env: AnyEnv;
  readonly fallback: Fallback | undefined;
  readonly maxSteps: number | undefined;
  readonly signal: AbortSignal;
  readonly record: (start: EpisodeStart) => Promise<EpisodeRecorder>;
}

/** Characters of the parent's id in that of a branch. */
const MAX_ID = 160;

/** @throws {ForkDiffersError} The same actions led to something else. */
export async function playBranch(plan: BranchPlan): Promise<EpisodeRow> {
  const { trajectory, at, env, agent, fallback, maxSteps, signal } = plan;
  const { id, steps } = trajectory;
  const episode: AnyEpisode = new Episode({
    env,
    signal,
    ...(fallback && { fallback }),
    ...(maxSteps !== undefined && { maxSteps }),
  });
  try {
    await playUntil(episode, trajectory, at, {
      id: plan.id ?? `${id.slice(0, MAX_ID)}-at${at}`,
      record: plan.record,
    });
    if (plan.response !== undefined) await play(episode, decisionOf(episode, plan.response));
    if (agent) for await (const step of playTurns(episode, agent)) await episode.recorder?.step(step);
    else if (plan.follow || plan.response === undefined) {
      const rest = steps.slice(plan.response === undefined ? at : at + 1);
      for (const step of plan.follow ? rest : rest.slice(0, 1)) {
        if (!episode.isRunning) break;
        await play(episode, recordedDecision(episode, step), step);
      }
    }
    return await end(episode);
  } finally {
    await episode.close();
  }
}

/** Plays the recorded steps before one of them, and compares each. @throws {ForkDiffersError} */
export async function playUntil(
  episode: AnyEpisode,
  trajectory: PlayedBefore,
  at: number,
  { id, record }: { readonly id?: string; readonly record?: BranchPlan['record'] } = {},
): Promise<void> {
  const { seed, options, steps } = trajectory;
  await episode.reset({
    ...(seed !== undefined && { seed }),
    ...(options && { options }),
    ...(id !== undefined && { id }),
  });
  compare(episode, -1, trajectory);
  if (record) await episode.record(record);
  for (const step of steps.slice(0, at)) {
    await play(episode, recordedDecision(episode, step), step);
    compare(episode, step.index, trajectory);
  }
}

async function play(episode: AnyEpisode, decision: Decision, recorded?: TrajectoryStep): Promise<void> {
  const prompt = episode.env.dialogue && episode.prompt();
  const { text, parsed } = decision;
  const taken: EpisodeStep = await episode.actOnce(decision);
  const turn = {
    text,
    ...(parsed && { parsed }),
    ...(recorded?.policyVersion !== undefined && { policyVersion: recorded.policyVersion }),
  };
  await episode.recorder?.step({
    ...taken,
    ...(parsed && prompt && { prompt }),
    ...((parsed || text !== '') && { turn }),
  });
}

/** The recorded action, whatever the answer means today. */
function recordedDecision(episode: AnyEpisode, { response, action, fallback = false }: TrajectoryStep): Decision {
  const { dialogue, actionSpace } = episode.env;
  const read: Decision =
    response !== undefined && dialogue ? episode.read(response) : { text: response ?? '', fallback };
  const { action: _action, ...rest } = read;
  return { ...rest, fallback, ...(action !== undefined && { action: actionSpace.decode(action) }) };
}

/** A new answer: read by the dialogue, or else as an action in words. */
function decisionOf(episode: AnyEpisode, response: string): Decision {
  if (episode.env.dialogue) return episode.read(response);
  return episode.decide({ text: response, action: readAction(episode.env.actionSpace, response) });
}

/** @param turn  The step that was played; -1 after the reset. */
function compare(episode: AnyEpisode, turn: number, { id, observation, steps }: PlayedBefore): void {
  const step = steps[turn];
  const recorded = turn < 0 ? observation : step?.observation;
  if (recorded && recorded.digest !== digestObservation(episode.state.observation)) {
    throw new ForkDiffersError(id, turn, 'observation');
  }
  if (step && episode.state.reward !== step.reward) throw new ForkDiffersError(id, turn, 'reward');
}

async function end(episode: AnyEpisode): Promise<EpisodeRow> {
  const { success, return: sum, length, seed } = episode.summary();
  const { recorder } = episode;
  const isOver = !episode.isRunning;
  const whole = await recorder?.end(isOver ? { success } : {});
  return {
    id: recorder?.id ?? episode.state.id,
    ...(seed >= 0 && { seed }),
    ...(isOver && { success }),
    return: sum,
    length,
    endedBy: whole?.outcome.endedBy ?? 'interrupted',
    illegal: (whole?.steps ?? []).filter(({ legal }) => legal === false).length,
    fallbacks: (whole?.steps ?? []).filter(({ fallback }) => fallback).length,
  };
}
