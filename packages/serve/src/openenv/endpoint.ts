/**
 * One environment as the OpenEnv protocol sees it. `env-endpoint.ts` makes one of a vlgym environment; the recorded frames
 * in test/golden/openenv are played against small environments.
 */
import type { Awaitable } from '@vlgym/core';

export type JsonObject = Readonly<Record<string, unknown>>;

export interface Outcome {
  /** The observation's own fields, without `reward`, `done` and `metadata`. */
  readonly observation: JsonObject;
  readonly reward: number | null;
  readonly done: boolean;
  readonly metadata?: JsonObject;
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject | null;
  readonly meta?: JsonObject | null;
}

export interface ToolResult {
  readonly content: readonly JsonObject[];
  readonly structured_content?: JsonObject | null;
  readonly meta?: JsonObject | null;
  readonly data?: unknown;
}

/** A tool that does not exist, or arguments that do not fit; anything else that a tool throws is its failure. */
export class ToolCallError extends Error {
  constructor(
    readonly type: 'tool_not_found' | 'invalid_args',
    message: string,
  ) {
    super(message);
  }
}

/** The environment of one session. Calls never overlap. */
export interface OpenEnvSession {
  /** @param data  The fields of the message, `seed` and `episode_id` checked. */
  reset(data: JsonObject): Awaitable<Outcome>;
  /** @throws {InvalidMessageError} The action does not have the declared form. */
  step(action: JsonObject): Awaitable<Outcome>;
  state(): Awaitable<JsonObject>;
  readonly tools?: readonly Tool[];
  callTool?(name: string, args: JsonObject): Awaitable<ToolResult>;
  /** Called before a `step` that lists or calls tools instead of acting. */
  onToolStep?(): void;
  /** Starts the episode in which `POST /step` acts, if the environment needs one. */
  startForStep?(): Awaitable<void>;
  close(): Awaitable<void>;
}

export interface EndpointMetadata {
  readonly name: string;
  readonly description: string;
  readonly readme_content: string | null;
  readonly version: string | null;
  readonly author: string | null;
  readonly documentation_url: string | null;
}

export interface EndpointSchemas {
  readonly action: JsonObject;
  readonly observation: JsonObject;
  readonly state: JsonObject;
  readonly reset_observation: JsonObject;
}

/** Tasks that a reset chooses by `split` and `index`. */
export interface TaskSource {
  readonly splits: readonly (string | { readonly name: string; readonly type: string })[];
  count(split: string): Awaitable<number>;
  /** @param index  From 0 and below the count. */
  task(split: string, index: number): Awaitable<JsonObject>;
}

export interface OpenEnvEndpoint {
  /** In `/list_environments` and in the paths of tasks. */
  readonly name: string;
  readonly metadata: EndpointMetadata;
  readonly tasks?: TaskSource | undefined;
  /** @param query  Query of the address, e.g. `face=native`. */
  schemas(query: URLSearchParams): EndpointSchemas;
  open(query: URLSearchParams): Awaitable<OpenEnvSession>;
  /** A picture that an observation has named by its address. */
  image?(hash: string): Uint8Array | undefined;
}
