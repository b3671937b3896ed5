/** The environments of `test/golden/openenv/reference_server.py`, written against our protocol layer. */
import {
  InvalidMessageError,
  type Issue,
  type JsonObject,
  type OpenEnvEndpoint,
  type OpenEnvSession,
  type Outcome,
  type Tool,
  ToolCallError,
  type ToolResult,
} from '../src/index.js';
import { extra, missing, readInteger } from '../src/openenv/validation.js';

const metadata = {
  name: 'count',
  description: 'Add digits up to a target',
  readme_content: null,
  version: '1.0.0',
  author: 'vlgym',
  documentation_url: null,
};

function readValue(action: JsonObject): number {
  const { value, metadata: _, ...others } = action;
  const issues: Issue[] = Object.keys(others).map((key) => extra([key], others[key]));
  const read = value === undefined ? missing(['value'], action) : readInteger(value, ['value']);
  if (typeof read === 'object') issues.push(read);
  else if (read > 9) {
    const msg = 'Input should be less than or equal to 9';
    const url = 'https://errors.pydantic.dev/2.14/v/less_than_equal';
    issues.push({ type: 'less_than_equal', loc: ['value'], msg, input: value, ctx: { le: 9 }, url } as Issue);
  }
  if (issues.length > 0) throw new InvalidMessageError(issues);
  return read as number;
}

class CountSession implements OpenEnvSession {
  #state = { episode_id: null as string | null, step_count: 0, target: 0, total: 0 };

  reset({ seed, episode_id, explode, ...options }: JsonObject): Outcome {
    if (explode) throw new Error('reset went wrong');
    const target = 10 + (((seed as number | undefined) ?? 0) % 5);
    this.#state = { episode_id: (episode_id as string | undefined) ?? 'fixed-id', step_count: 0, target, total: 0 };
    const given = Object.keys(options).length > 0 ? { metadata: { options } } : {};
    return { observation: { text: `Reach ${target}`, total: 0 }, reward: null, done: false, ...given };
  }

  step(action: JsonObject): Outcome {
    const value = readValue(action);
    if (value === 9) throw new Error('nine is not supported');
    const state = this.#state;
    state.step_count += 1;
    state.total += value;
    const done = state.total >= state.target;
    const reward = state.total === state.target ? 1 : done ? -1 : 0;
    return { observation: { text: `${state.total} of ${state.target}`, total: state.total }, reward, done };
  }

  state(): JsonObject {
    return { ...this.#state };
  }

  close(): void {}
}

export function countEndpoint(schemas: JsonObject): OpenEnvEndpoint {
  return {
    name: 'count',
    metadata,
    schemas: () => schemas as never,
    open: () => new CountSession(),
    tasks: {
      splits: ['train', 'dev'],
      count: () => 3,
      task: (split, index) => ({ id: `${split}-${index}`, index }),
    },
  };
}

const tool = (name: string, description: string, argument: string, type: string): Tool => ({
  name,
  description,
  inputSchema: {
    additionalProperties: false,
    properties: { [argument]: { type } },
    required: [argument],
    type: 'object',
  },
  outputSchema: {
    properties: { result: { type: 'string' } },
    required: ['result'],
    type: 'object',
    'x-fastmcp-wrap-result': true,
  },
  meta: { fastmcp: { tags: [] } },
});

class ToolSession implements OpenEnvSession {
  readonly tools = [
    tool('add', 'Add a digit to the total.', 'value', 'integer'),
    tool('fail', 'Always fails.', 'reason', 'string'),
  ];
  #total = 0;
  #state = { episode_id: null as string | null, step_count: 0 };

  reset({ episode_id }: JsonObject): Outcome {
    this.#total = 0;
    this.#state = { episode_id: (episode_id as string | undefined) ?? 'fixed-id', step_count: 0 };
    return { observation: {}, reward: 0, done: false, metadata: { status: 'ready' } };
  }

  step(): Outcome {
    return { observation: {}, reward: 0, done: false, metadata: { error: 'unknown action' } };
  }

  onToolStep(): void {
    this.#state.step_count += 1;
  }

  callTool(name: string, { value, reason }: JsonObject): ToolResult {
    if (name === 'fail') throw new Error(String(reason));
    if (typeof value !== 'number') throw new ToolCallError('invalid_args', 'value: Input should be a valid integer');
    this.#total += value;
    const text = `total ${this.#total}`;
    return {
      content: [{ type: 'text', text }],
      structured_content: { result: text },
      meta: { fastmcp: { wrap_result: true } },
      data: text,
    };
  }

  state(): JsonObject {
    return { ...this.#state };
  }

  close(): void {}
}

export const toolEndpoint = (): OpenEnvEndpoint => ({
  ...countEndpoint({}),
  name: 'tools',
  open: () => new ToolSession(),
});
