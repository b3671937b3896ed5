/** A suite as a YAML or JSON file: which agents play which environments, on which seeds. */
import {
  type AnyAgent,
  EVALUATION_FALLBACK,
  FALLBACKS,
  type ModelAgentOptions,
  type SuiteEnvironment,
} from '@vlgym/agents';
import { RateLimiter } from '@vlgym/agents/model';
import { make, resolveEnvId } from '@vlgym/core';
import { z } from 'zod';
import { agentOptions, BASE_URL, checkAgentOptions, type OpenedAgent, openAgent } from '../agents.js';
import { readConfig } from '../command-line/config-file.js';
import { givenBy } from '../command-line/given.js';
import { expandRanges } from '../command-line/option-values.js';
import { UsageError } from '../command-line/usage-error.js';
import { importEnvironments, importOption } from '../environments.js';
import { type GivenModelOptions, modelOptions, modelOptionsOf } from '../model-options.js';

const environment = z.union([
  z.string().min(1),
  z.strictObject({
    id: z.string().min(1),
    name: z.string().min(1).optional(),
    options: z.record(z.string(), z.unknown()).optional(),
    maxSteps: z.number().int().positive().optional(),
    resetOptions: z.record(z.string(), z.unknown()).optional(),
    breakdown: z.string().optional(),
  }),
]);

const { weights, like, model, baseUrl, apiKeyEnv, temperature } = agentOptions;
/** A default that is filled in would look like one that was written. */
const withoutDefault = (option: typeof baseUrl) => option.unwrap().optional().meta(option.meta()!);
const agentEntry = z.strictObject({
  agent: z.string().min(1).optional(),
  name: z.string().min(1).optional(),
  model,
  weights,
  like,
  baseUrl: withoutDefault(baseUrl),
  apiKeyEnv: withoutDefault(apiKeyEnv),
  temperature,
  ...modelOptions,
});
const agent = z.union([z.string().min(1), agentEntry]);

const suiteSchema = z.strictObject({
  title: z.string().min(1).default('Agents'),
  ...importOption,
  environments: z.array(environment).min(1),
  agents: z.array(agent).min(1),
  seeds: z
    .preprocess(
      (value) => (typeof value === 'number' ? value : expandRanges(value)),
      z.union([z.number().int().positive(), z.array(z.number().int().nonnegative()).min(1)]),
    )
    .default(100),
  attempts: z.number().int().positive().default(1),
  parallel: z.number().int().positive().default(8),
  fallback: z.enum(FALLBACKS).default(EVALUATION_FALLBACK),
  breakdown: z.string().optional(),
});

export type SuiteFile = z.output<typeof suiteSchema>;
type AgentEntry = SuiteFile['agents'][number];

/** @throws {UsageError}  The file is not readable, or an entry is wrong; the message has its path. */
export function readSuite(path: string): SuiteFile {
  const parsed = suiteSchema.safeParse(readConfig(path));
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(
    ({ path: keys, message }) => `${keys.map(String).join('.') || 'file'}: ${message}`,
  );
  throw new UsageError(`Invalid suite ${path}.\n${lines.slice(0, 5).join('\n')}`, {
    expected: 'environments, agents, and optionally seeds, attempts, parallel, fallback, breakdown, import, title',
    hint: 'vlgym suite --help shows an example',
  });
}

/** Imports what the suite names, and opens its environments once, so that a wrong id is reported before anything is played. */
export async function openEnvironments(suite: SuiteFile): Promise<SuiteEnvironment[]> {
  await importEnvironments(suite.import);
  const environments = suite.environments.map((entry): SuiteEnvironment => {
    if (typeof entry === 'string') return { env: resolveEnvId(entry), name: resolveEnvId(entry) };
    const { id, name, options, ...rules } = entry;
    const spec = { id: resolveEnvId(id), ...(options && { options }) };
    return { env: spec, name: name ?? spec.id, ...withoutUndefined(rules) };
  });
  for (const { env } of environments) await (await make(env as string)).close();
  return environments;
}

/** The agents under their names; equal ones are distinguished by what they are. */
export async function openAgents(suite: SuiteFile, env: string): Promise<OpenedAgent[]> {
  const limiters = new Map<string, RateLimiter>();
  const opened: OpenedAgent[] = [];
  for (const entry of suite.agents) {
    const { agent: player, close } = await openEntry(entry, env, limiters);
    const name = typeof entry === 'string' ? undefined : entry.name;
    opened.push({ agent: name === undefined ? player : renamed(player, name), close });
  }
  return opened;
}

async function openEntry(entry: AgentEntry, env: string, limiters: Map<string, RateLimiter>): Promise<OpenedAgent> {
  const defaults = { env, baseUrl: BASE_URL, apiKeyEnv: 'OPENAI_API_KEY' };
  if (typeof entry === 'string') return openAgent({ ...defaults, agent: entry });
  const { agent: name, model, weights: folder, baseUrl: address } = entry;
  const kind = name ?? (folder ? 'policy' : address || !model?.includes('/') ? 'openai' : model);
  // a model that names the agent itself is used
  const { model: _, ...own } = entry;
  const typed = kind === model ? own : entry;
  checkAgentOptions({ options: agentEntry }, kind, typed, givenBy('suite', typed));
  return openAgent({
    ...defaults,
    agent: kind,
    weights: folder,
    like: entry.like,
    model,
    ...withoutUndefined({ baseUrl: address, apiKeyEnv: entry.apiKeyEnv, temperature: entry.temperature }),
    modelOptions: sharedLimits(modelOptionsOf(entry), address ?? 'gateway', limiters),
  });
}

/** Agents of one server with equal limits share them: they are the account's. */
function sharedLimits(
  options: GivenModelOptions,
  server: string,
  limiters: Map<string, RateLimiter>,
): ModelAgentOptions {
  const { limits } = options;
  if (!limits) return options;
  const key = JSON.stringify([server, limits]);
  const limiter = limiters.get(key) ?? new RateLimiter(limits);
  limiters.set(key, limiter);
  return { ...options, limits: limiter };
}

/** The same agent under another name; its methods keep their own `this`. */
const renamed = (agent: AnyAgent, name: string): AnyAgent =>
  new Proxy(agent, {
    get(target, key) {
      if (key === 'name') return name;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

function withoutUndefined<T extends object>(object: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as never;
}
