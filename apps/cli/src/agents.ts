/** Agents by name (`knownAgents`) or from a file. */
import {
  type AnyAgent,
  blindAgent,
  type ModelAgentOptions,
  modelAgent,
  openAICompatibleAgent,
  oracleAgent,
  policyAgent,
  type RememberingModel,
  randomAgent,
  rememberGreedy,
} from '@vlgym/agents';
import { closest } from '@vlgym/core';
import { readTrajectories } from '@vlgym/core/trajectory';
import type { SamplerDType, VlmPolicy } from '@vlgym/models';
import type { EvaluationSettings } from '@vlgym/rl';
import { z } from 'zod';
import type { Given } from './command-line/given.js';
import { checkNeeds, needs } from './command-line/needs.js';
import { UsageError } from './command-line/usage-error.js';
import { deviceOption } from './device.js';
import { importUserCode, isFile } from './imports.js';

export interface KnownAgent {
  readonly name: string;
  /** Half a line for the list. */
  readonly summary: string;
  /** Options it needs. */
  readonly needs?: string;
}

export const knownAgents: readonly KnownAgent[] = [
  { name: 'random', summary: 'legal actions at random' },
  { name: 'blind', summary: 'the actions of solved episodes, drawn without looking', needs: '--like FOLDER' },
  { name: 'oracle', summary: 'the expert of the environment' },
  {
    name: 'policy',
    summary: 'a trained policy, or a model folder as it is',
    needs: '--weights FOLDER or --model FOLDER',
  },
  { name: 'openai', summary: 'any OpenAI-compatible server', needs: '--model NAME [--base-url URL]' },
  { name: 'PROVIDER/MODEL', summary: "any model of the AI SDK's gateway", needs: 'AI_GATEWAY_API_KEY' },
  { name: './FILE', summary: 'your own agent: the default export of a .js or .ts file' },
];

/** Where servers of language models usually listen. */
export const BASE_URL = 'http://127.0.0.1:8000/v1';
export const API_KEY = 'OPENAI_API_KEY';
/** MiB. */
const PROMPT_CACHE = 512;

const ofPolicy = (hint: string) => needs({ player: ['--agent policy'] }, hint);
const ELSEWHERE = 'other agents sample elsewhere, or not at all';

/** Part of the options of every command that lets an agent play. */
export const agentOptions = {
  weights: z
    .string()
    .optional()
    .meta(ofPolicy('leave --agent out to play these weights'))
    .describe('weights for --agent policy: a run, RUN@UPDATE, a checkpoint, or a policy folder'),
  like: z
    .string()
    .optional()
    .meta(needs({ player: ['--agent blind'] }, 'add --agent blind to play its actions without looking'))
    .describe('recording for --agent blind, which draws the actions of its solved episodes without looking'),
  model: z
    .string()
    .optional()
    .meta(
      needs({ player: ['--agent policy', '--agent openai'] }, 'the other agents have no model, or name it themselves'),
    )
    .describe('name of the model, for --agent openai; a model folder, for --agent policy'),
  baseUrl: z
    .string()
    .default(BASE_URL)
    .meta(needs({ player: ['--agent openai'] }, 'add --agent openai to ask this server'))
    .describe('address of any OpenAI-compatible endpoint, for --agent openai'),
  apiKeyEnv: z
    .string()
    .default(API_KEY)
    .meta(needs({ player: ['--agent openai'] }, 'the gateway reads AI_GATEWAY_API_KEY'))
    .describe('environment variable that holds the key, for --agent openai'),
  temperature: z
    .number()
    .nonnegative()
    .optional()
    .meta(ofPolicy('for a language model: --settings temperature=0'))
    .describe('sampling temperature of a policy; 0 is greedy. Default: as its run was evaluated, else 0'),
  constrain: z
    .enum(['none', 'actions', 'json'])
    .optional()
    .meta(ofPolicy('servers of language models have their own options, e.g. --settings providerOptions=…'))
    .describe(
      'hold the answers of a policy to the legal actions, or to the JSON that is asked for; default: as in its run',
    ),
  maxNewTokens: z
    .number()
    .int()
    .positive()
    .optional()
    .meta(ofPolicy('for a language model: --settings maxOutputTokens=256'))
    .describe('largest number of tokens of an answer of a policy; default: as in its run, else what ENV declares'),
  samplerDtype: z
    .enum(['same', 'bfloat16', 'int8'])
    .default('same')
    .meta(ofPolicy(ELSEWHERE))
    .describe('let a policy sample with a copy of its weights in fewer bytes'),
  promptCache: z
    .number()
    .nonnegative()
    .default(PROMPT_CACHE)
    .meta(ofPolicy(ELSEWHERE))
    .describe('megabytes of conversations that a policy does not read again at every turn'),
  device: deviceOption.device.meta(
    ofPolicy('other agents choose their device themselves: on the server of their model, or in their file'),
  ),
};

/** The kind of an agent, as conditions of options name it. */
export function playerOf(agent: string | undefined): string {
  if (agent === undefined) return 'a person';
  return `--agent ${isFile(agent) ? './FILE' : isGatewayModel(agent) ? 'PROVIDER/MODEL' : agent}`;
}

/** @throws {UsageError} An option that the agent would ignore: another one would play than was meant. */
export const checkAgentOptions = (
  table: Parameters<typeof checkNeeds>[0],
  agent: string | undefined,
  options: Readonly<Record<string, unknown>>,
  given: Given,
): void => checkNeeds(table, { ...options, player: playerOf(agent) }, given);

export interface AgentChoice {
  /** Name of a known agent, or a file. */
  readonly agent: string;
  /** Id of the environment that it plays; a choice without one says how a policy samples. */
  readonly env: string | undefined;
  readonly weights?: string | undefined;
  readonly like?: string | undefined;
  readonly model?: string | undefined;
  readonly baseUrl: string;
  readonly apiKeyEnv: string;
  readonly temperature?: number | undefined;
  readonly constrain?: EvaluationSettings['constrain'] | undefined;
  readonly maxNewTokens?: number | undefined;
  readonly samplerDtype?: SamplerDType | undefined;
  /** MiB. */
  readonly promptCache?: number | undefined;
  /** For `policy`: `cpu`, `cuda` or `cuda:N`. */
  readonly device?: string | undefined;
  /** For language models. */
  readonly modelOptions?: ModelAgentOptions;
}

export interface OpenedAgent {
  readonly agent: AnyAgent;
  /** How a policy is judged: as it was trained, but for what the user chose. */
  readonly judged?: EvaluationSettings;
  /** The model of `policy`. */
  readonly policy?: VlmPolicy;
  /** Its greedy answers. */
  readonly memory?: RememberingModel;
  close(): unknown;
}

const nothing = () => undefined;

/** A policy where weights or a model are named, or else random. A misspelled folder is then an error. */
export const defaultAgent = ({ weights, model }: Pick<AgentChoice, 'weights' | 'model'>): 'policy' | 'random' =>
  weights !== undefined || model !== undefined ? 'policy' : 'random';

/** `PROVIDER/MODEL`, and not a path. */
export const isGatewayModel = (name: string): boolean => !isFile(name) && /^[\w.-]+\/\S+$/.test(name);

/** @throws {UsageError} The agent is unknown, lacks an option, or its file exports none. */
export async function openAgent(choice: AgentChoice): Promise<OpenedAgent> {
  const { agent: name, model } = choice;
  if (name === 'random') return { agent: randomAgent(), close: nothing };
  if (name === 'blind') return { agent: blindAgent(await actionsIn(choice.like)), close: nothing };
  if (name === 'oracle') return { agent: oracleAgent(), close: nothing };
  if (name === 'policy') return openPolicy(choice);
  if (name === 'openai') {
    if (!model) throw new UsageError('--agent openai needs --model NAME.');
    const apiKey = process.env[choice.apiKeyEnv];
    if (!apiKey && choice.apiKeyEnv !== API_KEY) throw new KeyMissingError(choice.apiKeyEnv);
    const agent = openAICompatibleAgent({
      ...choice.modelOptions,
      baseURL: choice.baseUrl,
      model,
      ...(apiKey ? { apiKey } : {}),
    });
    return { agent, close: nothing };
  }
  if (isFile(name)) return agentFrom(name);
  if (isGatewayModel(name)) return { agent: modelAgent(name, choice.modelOptions), close: nothing };
  const names = knownAgents.map((each) => each.name);
  const near = closest(name, names);
  throw new UsageError(`Unknown agent ${JSON.stringify(name)}.`, {
    expected: `one of ${names.join(', ')}`,
    hint: near && near !== './FILE' ? `did you mean "${near}"?` : 'vlgym agents lists them',
  });
}

/** A key that was meant would not be sent. */
class KeyMissingError extends UsageError {
  constructor(variable: string) {
    super(`--api-key-env ${variable} names a variable that is not set.`, {
      value: variable,
      expected: 'an environment variable with a key',
      hint: `export ${variable}=…, or leave --api-key-env out for a server without a key`,
    });
  }
}

/** The executed actions of the solved episodes of a recording: those of a policy that is stuck would make a weak control. */
async function actionsIn(folder: string | undefined): Promise<unknown[]> {
  const hint = 'a folder that `--record` has written, with solved episodes';
  if (folder === undefined) throw new UsageError('--agent blind needs --like FOLDER.', { hint });
  const actions: unknown[] = [];
  for await (const { steps, outcome } of readTrajectories(folder)) {
    if (outcome.success) actions.push(...steps.flatMap(({ action }) => (action === undefined ? [] : [action])));
  }
  if (actions.length === 0) throw new UsageError(`${folder} has no solved episode.`, { hint });
  return actions;
}

/** The trained weights of a folder, or a model folder as it is published. */
async function openPolicy({
  env,
  weights,
  model,
  temperature,
  constrain,
  maxNewTokens,
  device,
  samplerDtype,
  promptCache = 0,
}: AgentChoice): Promise<OpenedAgent> {
  const { weightsIn } = await import('./folders/weights.js');
  const folder = weights === undefined ? model : (await weightsIn(weights)).folder;
  if (folder === undefined) {
    throw new UsageError('--agent policy needs --weights FOLDER, or --model FOLDER.', {
      hint: 'for example --weights runs/quickstart/vl-dac-0, or vl-dac-0@12 for an earlier update',
    });
  }
  const { createPolicy, loadPolicy } = await import('@vlgym/models');
  const { policyOptions } = await import('@vlgym/rl');
  const { judgmentOfWeights } = await import('./experiment/evaluation/weights-judgment.js');
  const { plainJudgment } = await import('./experiment/evaluation/judgment.js');
  const { openDevice } = await import('./open-device.js');
  const common = { device: openDevice(device), samplerDtype, promptCacheBytes: promptCache * 2 ** 20 };
  const policy = await (weights === undefined
    ? createPolicy({ model: folder, keepReference: false, ...common })
    : loadPolicy(folder, { ...common, model }));
  const choices = { temperature, constrain, maxNewTokens };
  const judged = env === undefined ? plainJudgment(choices) : await judgmentOfWeights(folder, env, choices);
  const memory = rememberGreedy(policy);
  return { agent: policyAgent(memory, policyOptions(judged)), judged, policy, memory, close: () => policy.close() };
}

/** The default export, or the only export, that is an agent or a function that makes one. */
async function agentFrom(file: string): Promise<OpenedAgent> {
  const module = await importUserCode(file);
  const candidates = 'default' in module ? [module.default] : Object.values(module);
  for (const candidate of candidates) {
    const agent: unknown = typeof candidate === 'function' && !isClass(candidate) ? await candidate() : candidate;
    if (isAgent(agent)) return { agent, close: () => agent.close?.() };
  }
  throw new UsageError(`${file} exports no agent.`, {
    expected: 'a default export { name, act(context) }, or a function that returns one',
    hint: 'vlgym new agent NAME starts one',
  });
}

/** A class is not a function that makes an agent: it may be an environment. */
const isClass = (value: object) => /^class\b/.test(Function.prototype.toString.call(value));

const isAgent = (value: unknown): value is AnyAgent =>
  typeof value === 'object' &&
  value !== null &&
  'act' in value &&
  typeof value.act === 'function' &&
  'name' in value &&
  typeof value.name === 'string';
