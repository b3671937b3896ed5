/**
 * Correctors of thoughts in GTR: a model that reads picture, task and thought, or the environment's expert as a stand-in.
 *
 * Rules: `docs/specs/algorithms.md` 4.2 and 18.
 */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Agent, modelAgent } from '@vlgym/agents';
import type { Episode } from '@vlgym/agents/episode';
import type { Awaitable, ChatMessage } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import { expertAnswer, type RunningTurn } from '@vlgym/rl/rollout';
import { z } from 'zod';

/** `wrong` comes with a whole response in the format of the environment, whose thought is to be imitated. */
export type Verdict =
  | { readonly verdict: 'correct' | 'failed' }
  | { readonly verdict: 'wrong'; readonly correction: string };

/** Judges the thought of a turn whose response is well-formed, before the action is executed. */
export type Corrector = (turn: RunningTurn, signal: AbortSignal | undefined) => Awaitable<Verdict>;

const FAILED: Verdict = { verdict: 'failed' };

/**
 * The environment's expert: a thought is wrong if the environment says so, or, where it cannot check thoughts, if the action
 * is not the expert's.
 */
export const expertCorrector: Corrector = ({ episode, decision }) => {
  const expert = expertAnswer(episode);
  if (!expert) return FAILED;
  const { thoughtCorrect } = decision.parsed!;
  const isCorrect = thoughtCorrect ?? isSame(episode, expert.action, decision.action);
  return isCorrect ? { verdict: 'correct' } : { verdict: 'wrong', correction: expert.text };
};

const isSame = ({ env: { actionSpace } }: Episode, a: unknown, b: unknown): boolean =>
  isDeepStrictEqual(actionSpace.encode(a), actionSpace.encode(b));

const INSTRUCTIONS = [
  'You check the reasoning of an agent. You see what the agent saw, and its answer.',
  'Decide whether what it says before its action is true and leads to a good action.',
  'Answer with one JSON object: {"evaluation": "yes"} if the reasoning is correct, otherwise',
  '{"evaluation": "no", "correction": "…"}, where the correction is a complete answer in exactly the format that the agent was asked for.',
].join('\n');

const reply = z.object({ evaluation: z.enum(['yes', 'no']), correction: z.string().optional() });

export interface ModelCorrectorOptions {
  /** Answers that are tried until one can be parsed; default 20. Retries of failed requests are the agent's. */
  readonly tries?: number | undefined;
  /** Replaces the instructions, e.g. for a game with rules that the prompt leaves out. */
  readonly instructions?: string | undefined;
}

const MODEL_CORRECTOR_OPTIONS = names<ModelCorrectorOptions>({ tries: 0, instructions: 0 });

/**
 * A model as corrector. Budget, retries, time limits and rate limits are those of the agent:
 *
 *     gtrWith(modelCorrector(modelAgent('openai/gpt-4o', { budget: { cost: 20 }, prices })))
 *
 * Equal turns are asked once in a process. A model that fails, or writes nothing that can be parsed, gives no label.
 */
export function modelCorrector(agent: Pick<Agent, 'act'>, options: ModelCorrectorOptions = {}): Corrector {
  checkNames('options', options, MODEL_CORRECTOR_OPTIONS);
  const { tries = 20, instructions = INSTRUCTIONS } = options;
  const known = new Map<string, Promise<Verdict>>();
  return (turn, signal) => {
    const { prompt, response } = turn;
    const key = digestOf(prompt, response.text);
    const verdict = known.get(key) ?? ask(agent, turn, { tries, instructions, signal });
    known.set(key, verdict);
    verdict.then(
      (each) => each.verdict === 'failed' && known.delete(key),
      () => known.delete(key),
    );
    return verdict;
  };
}

/** Digest of everything that the corrector reads, pictures included. */
function digestOf(prompt: readonly ChatMessage[], response: string): string {
  const hash = createHash('sha256');
  for (const { role, content } of prompt) {
    const parts = typeof content === 'string' ? [{ type: 'text', text: content } as const] : content;
    for (const part of parts) hash.update(part.type === 'text' ? `${role}\0${part.text}\0` : part.image.data);
  }
  return hash.update(response).digest('base64url');
}

async function ask(
  agent: Pick<Agent, 'act'>,
  { episode, prompt, response }: RunningTurn,
  { tries, instructions, signal }: { tries: number; instructions: string; signal: AbortSignal | undefined },
): Promise<Verdict> {
  const messages = [
    { role: 'system', content: instructions },
    ...prompt.map((message) => (message.role === 'system' ? { ...message, role: 'user' as const } : message)),
    { role: 'user', content: `The agent answered:\n${response.text}` },
  ] as const;
  for (let attempt = 0; attempt < tries; attempt++) {
    signal?.throwIfAborted();
    const { text, error } = await agent.act({ ...episode.context, messages, ...(signal && { signal }) });
    // budgets and retries are used up; asking again would be refused again
    if (error) return FAILED;
    const parsed = parseReply(text);
    if (parsed?.evaluation === 'yes') return { verdict: 'correct' };
    if (parsed?.correction !== undefined && episode.dialogue.parse(parsed.correction, episode.state).formatValid) {
      return { verdict: 'wrong', correction: parsed.correction };
    }
  }
  return FAILED;
}

function parseReply(text: string): z.output<typeof reply> | undefined {
  try {
    return reply.safeParse(JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))).data;
  } catch {
    return undefined;
  }
}

/** @param name  `expert`, or a model of the AI SDK's gateway, e.g. `openai/gpt-4o`. */
export function correctorNamed(name: string, options: { tries: number; maxRequests: number | null }): Corrector {
  if (name === 'expert') return expertCorrector;
  const budget = options.maxRequests === null ? {} : { budget: { requests: options.maxRequests } };
  return modelCorrector(modelAgent(name, { ...budget, settings: { temperature: 0.4, maxOutputTokens: 400 } }), {
    tries: options.tries,
  });
}
