/** The description of an OpenEnv server before a connection: its schemas as spaces, its name, its address. */
import { GymError, type Info, type ResetResult, type Space, spaces } from '@vlgym/core';
import { isRecord } from '@vlgym/core/internal';
import { z } from 'zod';
import { RemoteLostError, type SocketOptions } from './open-env-socket.js';
import { RemoteSpace } from './remote-space.js';

export interface ServerDescription {
  readonly name: string;
  readonly description: string;
  readonly socketUrl: string;
  /** A vlgym server, by its native face. */
  readonly isNative: boolean;
  readonly actionSpace: Space;
  readonly observationSpace: Space;
  /** The fields of a `step` message. */
  writeAction(encoded: unknown): object;
  readObservation(fields: Info, space: Space): ResetResult<unknown>;
}

type FetchOptions = Pick<SocketOptions, 'headers' | 'connectTimeoutMs' | 'maxMessageBytes'>;

/** @throws {RemoteLostError} @throws {GymError} `REMOTE_INVALID` */
export async function describeServer(base: URL, options: FetchOptions): Promise<ServerDescription> {
  const ask = (path: string) => getJson(addressOf(base, path, { face: 'native' }), options);
  const [schema, metadata] = [await ask('schema'), await ask('metadata')];
  const { action, observation } = schema;
  if (!isRecord(action) || !isRecord(observation)) {
    throw new GymError(`${base.href} has no schemas of actions and observations.`, {
      code: 'REMOTE_INVALID',
      value: schema,
      hint: 'is it the address of an OpenEnv server? With several environments, add the name of one',
    });
  }
  const shared = {
    name: String(metadata.name ?? base.host),
    description: String(metadata.description ?? ''),
    socketUrl: addressOf(base, 'ws', { face: 'native' }).replace(/^http/, 'ws'),
  };
  return {
    ...shared,
    ...(action.title === 'VlgymNativeAction' ? native(action, observation) : foreign(action, observation)),
  };
}

type Mapping = Omit<ServerDescription, 'name' | 'description' | 'socketUrl'>;

function native(action: Info, observation: Info): Mapping {
  return {
    isNative: true,
    actionSpace: spaces.fromJsonSchema((action.properties as Info).action),
    observationSpace: spaces.fromJsonSchema((observation.properties as Info).value),
    writeAction: (encoded) => ({ action: encoded }),
    readObservation: ({ value, metadata }, space) => ({
      observation: space.decode(value),
      info: isRecord(metadata) && isRecord(metadata.info) ? metadata.info : {},
    }),
  };
}

function foreign(action: Info, observation: Info): Mapping {
  return {
    isNative: false,
    actionSpace: actionSpaceOf(action),
    observationSpace: new RemoteSpace(observation),
    writeAction: (encoded) => (isRecord(encoded) ? encoded : { value: encoded }),
    readObservation: ({ metadata, done: _, reward: __, ...fields }, space) => ({
      observation: space.decode(fields),
      info: isRecord(metadata) ? { ...metadata } : {},
    }),
  };
}

/** Without `metadata`, which every action of the library may have. */
function actionSpaceOf({ properties, title: _, ...schema }: Info): Space {
  const { metadata: __, ...own } = isRecord(properties) ? properties : {};
  const plain = { ...schema, properties: own, additionalProperties: false };
  try {
    return spaces.fromJsonSchema(plain);
  } catch {
    const required = { ...schema, properties: own };
    try {
      return spaces.json(z.fromJSONSchema(required as Parameters<typeof z.fromJSONSchema>[0]), {
        jsonSchema: required,
      });
    } catch {
      return spaces.json(z.record(z.string(), z.unknown()));
    }
  }
}

function addressOf(base: URL, path: string, query: Readonly<Record<string, string>>): string {
  const url = new URL(base);
  url.pathname = [...url.pathname.split('/').filter(Boolean), path].join('/');
  for (const [name, value] of Object.entries(query)) if (!url.searchParams.has(name)) url.searchParams.set(name, value);
  return url.href;
}

async function getJson(address: string, { headers, connectTimeoutMs, maxMessageBytes }: FetchOptions): Promise<Info> {
  let text: string;
  let status: number;
  try {
    const answer = await fetch(address, { headers, signal: AbortSignal.timeout(connectTimeoutMs), redirect: 'error' });
    status = answer.status;
    text = await answer.text();
  } catch (cause) {
    const why =
      cause instanceof Error ? `${cause.message}${cause.cause ? ` (${String(cause.cause)})` : ''}` : String(cause);
    throw new RemoteLostError('connect', `No answer from ${address}: ${why}`, cause);
  }
  try {
    if (status === 200 && text.length <= maxMessageBytes) {
      const value: unknown = JSON.parse(text);
      if (isRecord(value)) return value;
    }
  } catch {}
  throw new GymError(`${address} answered with status ${status} and no JSON object.`, {
    code: 'REMOTE_INVALID',
    value: text.slice(0, 200),
    hint: status === 401 ? 'give the token: `{ headers: { authorization: "Bearer …" } }`' : 'is it an OpenEnv server?',
  });
}
