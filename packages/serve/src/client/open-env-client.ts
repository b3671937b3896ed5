/**
 * An OpenEnv server as an `Env`: `make('openenv:http://127.0.0.1:8000')`.
 *
 * A vlgym server is used by its native face, so spaces, seeds and digests are those of the environment itself. Any other
 * server has the spaces that its schemas describe; what no space describes is JSON data.
 */
import { EPISODE_SNAPSHOT } from '@vlgym/agents/episode';
import {
  BaseEnv,
  checkResetOptions,
  type Dialogue,
  type EnvRegistration,
  type EnvSnapshot,
  GymError,
  type Info,
  option,
  parseOptions,
  parseState,
  type ResetOptions,
  type ResetResult,
  registerScheme,
  SnapshotMismatchError,
  type Space,
  type StepResult,
  spaceDialogue,
} from '@vlgym/core';
import { checkNames, isRecord, names } from '@vlgym/core/internal';
import { z } from 'zod';
import { OpenEnvSocket, RemoteLostError } from './open-env-socket.js';
import { describeServer, type ServerDescription } from './server-description.js';

const milliseconds = z.number({ error: 'milliseconds, more than 0' }).positive({ error: 'milliseconds, more than 0' });
const OPTIONS = z.strictObject({
  headers: z.record(z.string(), z.string()).optional(),
  connectTimeoutMs: milliseconds.optional(),
  messageTimeoutMs: milliseconds.optional(),
  maxMessageBytes: z.int().positive().optional(),
  snapshot: option.oneOf(['off', 'try']).optional(),
});
/** The fields that the client checks; the server checks the others before it changes anything. */
const SNAPSHOT = z.looseObject({ kind: z.literal(EPISODE_SNAPSHOT), env: z.looseObject({}), state: z.looseObject({}) });
const SNAPSHOT_KIND = 'openenv/1';

export interface OpenEnvClientOptions {
  /** For every request, e.g. `{ authorization: 'Bearer …' }`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Default 10 s. */
  readonly connectTimeoutMs?: number | undefined;
  /** Default 60 s. */
  readonly messageTimeoutMs?: number | undefined;
  /** Default 100 MiB. */
  readonly maxMessageBytes?: number | undefined;
  /**
   * `try`: the environment has snapshots where its server sends them (`vlgym serve --snapshots`). They are data, and
   * continue in any session of such a server.
   */
  readonly snapshot?: 'off' | 'try' | undefined;
}

const OPEN_ENV_CLIENT_CONNECT_OPTIONS = names<OpenEnvClientOptions>({
  headers: 0,
  connectTimeoutMs: 0,
  messageTimeoutMs: 0,
  maxMessageBytes: 0,
  snapshot: 0,
});

const OPEN_ENV_CLIENT_RESET_OPTIONS = names<ResetOptions>({ seed: 0, options: 0 });

export class OpenEnvClient extends BaseEnv {
  readonly observationSpace: Space;
  readonly actionSpace: Space;
  readonly dialogue: Dialogue;
  /** Name, description and schemas as the server gives them. */
  readonly server: ServerDescription;
  readonly #socket: OpenEnvSocket;
  declare snapshot?: () => Promise<EnvSnapshot>;
  declare restore?: (snapshot: EnvSnapshot) => Promise<void>;
  #last: ResetResult<unknown> | undefined;

  private constructor(server: ServerDescription, socket: OpenEnvSocket, hasSnapshots: boolean) {
    super();
    this.server = server;
    this.#socket = socket;
    this.observationSpace = server.observationSpace;
    this.actionSpace = server.actionSpace;
    const { observationSpace, actionSpace, name: title } = server;
    this.dialogue = spaceDialogue({ title, observationSpace, actionSpace });
    if (hasSnapshots) {
      this.snapshot = () => this.#takeSnapshot();
      this.restore = (snapshot) => this.#putSnapshot(snapshot);
    }
  }

  /**
   * @param url  OpenEnv's `base_url`: `http://host:port`, with the prefix of the environment if there is one.
   * @throws {RemoteLostError} The server is not there.
   */
  static async connect(url: string, given: OpenEnvClientOptions = {}): Promise<OpenEnvClient> {
    checkNames('options', given, OPEN_ENV_CLIENT_CONNECT_OPTIONS);
    const options = parseOptions(given, OPTIONS);
    const { headers = {}, connectTimeoutMs = 10_000, messageTimeoutMs = 60_000 } = options;
    const { maxMessageBytes = 100 * 1024 * 1024 } = options;
    const server = await describeServer(checkedUrl(url), { headers, connectTimeoutMs, maxMessageBytes });
    const socket = new OpenEnvSocket(server.socketUrl, {
      headers,
      connectTimeoutMs,
      messageTimeoutMs,
      maxMessageBytes,
    });
    const hasSnapshots =
      options.snapshot === 'try' && server.isNative && 'snapshot' in (await socket.ask({ type: 'state' }, true));
    return new OpenEnvClient(server, socket, hasSnapshots);
  }

  async reset(given?: ResetOptions): Promise<ResetResult<unknown>> {
    checkNames('options', given, OPEN_ENV_CLIENT_RESET_OPTIONS);

    this.ensureOpen('reset');
    checkResetOptions(given);
    const { seed, options } = given ?? {};
    const data = { ...options, ...(seed === undefined ? {} : { seed }) };
    const { observation, info } = this.#read(await this.#socket.ask({ type: 'reset', data }, true));
    this.#last = { observation, info };
    return { observation, info };
  }

  /** A server that does not answer in time ends the episode as truncated; its next one starts on a new connection. */
  async step(action: unknown): Promise<StepResult<unknown>> {
    this.ensureOpen('step');
    const data = this.server.writeAction(this.actionSpace.encode(action));
    try {
      const answer = await this.#socket.ask({ type: 'step', data }, false);
      const { observation, info } = this.#read(answer);
      this.#last = { observation, info };
      const { metadata } = answer as { metadata?: Info };
      const truncated = answer.done === true && metadata?.truncated === true;
      const terminated = answer.done === true && (!truncated || metadata?.terminated === true);
      const reward = typeof answer.reward === 'number' ? answer.reward : Number(answer.reward ?? 0);
      return {
        observation,
        reward,
        terminated,
        truncated,
        info: answer.reward === null ? { ...info, rewardMissing: true } : info,
      };
    } catch (error) {
      if (!(error instanceof RemoteLostError) || error.reason !== 'timeout' || !this.#last) throw error;
      const { message, code } = error;
      return {
        observation: structuredClone(this.#last.observation),
        reward: 0,
        terminated: false,
        truncated: true,
        info: { truncationReason: 'environment-error', error: { name: error.name, message, code } },
      };
    }
  }

  /** The server's state of the running episode, e.g. `episode_id` and `step_count`. */
  async state(): Promise<Info> {
    return this.#socket.ask({ type: 'state' }, true);
  }

  async #takeSnapshot(): Promise<EnvSnapshot> {
    const { snapshot } = await this.state();
    if (snapshot !== null) return { kind: SNAPSHOT_KIND, state: snapshot };
    throw new GymError('The environment of the server cannot be saved now.', {
      code: 'SNAPSHOT_UNSUPPORTED',
      value: this.server.name,
      hint: 'call reset first; some environments do not support snapshots',
    });
  }

  /** Works on any connection: the snapshot holds the whole episode. */
  async #putSnapshot({ kind, state }: EnvSnapshot): Promise<void> {
    if (kind !== SNAPSHOT_KIND) throw new SnapshotMismatchError(kind, SNAPSHOT_KIND);
    const snapshot = parseState(state, SNAPSHOT_KIND, SNAPSHOT);
    await this.#socket.ask({ type: 'reset', data: { snapshot } }, true);
  }

  protected override dispose(): void {
    this.#socket.close();
  }

  /** @throws {GymError} `REMOTE_INVALID` */
  #read(answer: Info): ResetResult<unknown> {
    const { observation } = answer;
    if (!isRecord(observation)) throw invalid('An answer of the server has no observation.', answer);
    try {
      return this.server.readObservation(observation, this.observationSpace);
    } catch (cause) {
      if (!GymError.isInstance(cause)) throw cause;
      throw invalid(`An observation of the server is not in its space: ${cause.message}`, observation, cause);
    }
  }
}

const invalid = (message: string, value: unknown, cause?: unknown) =>
  new GymError(message, { code: 'REMOTE_INVALID', value, ...(cause === undefined ? {} : { cause }) });

function checkedUrl(text: string): URL {
  try {
    const url = new URL(text.replace(/^ws(s?):/, 'http$1:'));
    if (url.protocol === 'http:' || url.protocol === 'https:') return url;
  } catch {}
  throw new GymError(`Invalid address of an OpenEnv server: "${text}".`, {
    code: 'INVALID_OPTION',
    value: text,
    expected: 'http:// or https:// and a host, e.g. "http://127.0.0.1:8000"',
  });
}

function registration(id: string, url: string): EnvRegistration {
  return {
    id,
    module: '@vlgym/serve',
    title: url,
    // the server may be anybody's; two seeded resets can be compared with `checkEnv`
    nondeterministic: true,
    entryPoint: (options: OpenEnvClientOptions) => OpenEnvClient.connect(url, options),
  };
}

registerScheme({ scheme: 'openenv', find: registration });
