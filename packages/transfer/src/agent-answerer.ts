/** Any agent as one that answers questions: a question is an episode of one turn, whose action is the answer. */
import { createHash } from 'node:crypto';
import type { AgentContext, AgentTurn, AnyAgent } from '@vlgym/agents';
import { type AnyEnv, BaseEnv, type ChatMessage, type Dialogue, Generator, spaces } from '@vlgym/core';
import type { Answerer, AnswerRequest, AskedQuestion } from './ask.js';
import { AnswerFailedError } from './errors.js';

/** Characters of an answer. */
const MAX_ANSWER = 1_000_000;

/**
 * Agents that write are asked in the words of the benchmark, and their text is the answer. An agent without words, such as
 * `randomAgent`, chooses one of the options of the question, and leaves open questions unanswered: the score of guessing.
 *
 * @example
 * await ask({ benchmark: 'erqa', questions, model: agentAnswerer(openAICompatibleAgent({ baseURL, model })), out });
 */
export function agentAnswerer(agent: AnyAgent): Required<Answerer> {
  const answerAll = async (questions: readonly AskedQuestion[], { signal }: AnswerRequest): Promise<string[]> => {
    const contexts = await Promise.all(questions.map((question) => begin(agent, question, signal)));
    const turns = agent.actBatch
      ? await agent.actBatch(contexts as never)
      : await Promise.all(contexts.map((context) => agent.act(context as never)));
    const answers = turns.map((turn, i) => answerOf(turn, questions[i]!.key));
    for (const [i, context] of contexts.entries()) await agent.end?.(outcomeOf(context, i));
    return answers;
  };
  return {
    name: agent.name,
    identity: async () => (await agent.identity?.()) ?? {},
    answerAll,
    answer: async (messages, request) => (await answerAll([{ key: '', messages, choices: [] }], request))[0]!,
  };
}

type Context = AgentContext<string, string> & { readonly memory: unknown };

let episodes = 0;

async function begin(agent: AnyAgent, question: AskedQuestion, signal: AbortSignal | undefined): Promise<Context> {
  const env = new QuestionEnv(question);
  episodes += 1;
  const common = { env, observation: question.key, info: {}, ...(signal && { signal }) };
  const episodeId = `question-${episodes}`;
  const memory = await agent.begin?.({ ...common, id: episodeId, env: env as AnyEnv });
  const { messages } = question;
  return { ...common, messages, history: [], rng: generatorOf(question), episodeId, stepIndex: 0, memory };
}

/** Depends on the question alone, so that answers do not depend on their order. */
function generatorOf({ key }: AskedQuestion): Generator {
  return new Generator(createHash('sha256').update(key).digest().readUIntBE(0, 6));
}

/** @throws {AnswerFailedError} */
function answerOf({ error, text, action }: AgentTurn, key: string): string {
  if (error) throw new AnswerFailedError(key, error);
  return text === '' && typeof action === 'string' ? action : text;
}

const outcomeOf = ({ episodeId, memory }: Context, seed: number) => ({
  ...{ episodeId, memory, seed, return: 0, length: 1, success: false, counted: true },
  endedBy: 'terminated' as const,
});

/** Agents look at it besides the prompt. Nobody steps it: the answer is scored later. */
class QuestionEnv extends BaseEnv<string, string> {
  readonly observationSpace = spaces.text({ minLength: 0, maxLength: MAX_ANSWER });
  readonly actionSpace = spaces.text({ minLength: 0, maxLength: MAX_ANSWER });
  readonly stepLimit = 1;
  readonly dialogue: Dialogue<string, string>;
  readonly #key: string;

  constructor({ key, messages, choices }: AskedQuestion) {
    super();
    this.#key = key;
    this.dialogue = {
      version: 'transfer/question-v1',
      prompt: () => messages as ChatMessage[],
      parse: (text) => ({
        ...{ thought: '', action: text, actionText: text, legal: true, formatValid: true },
        spans: { action: [0, text.length] },
      }),
      // an open question cannot be guessed
      choices: () => (choices.length > 0 ? choices : ['']),
    };
  }

  reset() {
    return { observation: this.#key, info: {} };
  }

  step() {
    return { observation: this.#key, reward: 0, terminated: true, truncated: false, info: {} };
  }
}
