/**
 * A thread with environments: makes them from their spec and answers calls to each.
 *
 * It does not inherit registrations, so the spec names the module to import (process vectors without this fail with
 * `NamespaceNotFound`, for example in `huggingface/lerobot#448`).
 */
import { parentPort } from 'node:worker_threads';
import { settleAll } from '../async/settle-all.js';
import type { AnyEnv, Awaitable } from '../env.js';
import { GymError } from '../errors.js';
import { makeFromSpec } from '../registry/make.js';
import { createAll } from './base-vector-env.js';
import { EnvSlot } from './env-slot.js';
import { pack, type Region } from './packed.js';
import { failureData, VectorEnvFailedError } from './vector-env.js';
import type { Answer, Call, ErrorData, Making, Reply, Request, SharedMemory } from './worker-protocol.js';

const port = parentPort!;
const hosted = new Map<number, Hosted>();

interface Hosted {
  readonly target: EnvSlot | AnyEnv;
  readonly memory: SharedMemory | undefined;
  /** Environments may refuse to give a mask before the first reset. */
  begun: boolean;
}

async function make({ spec, envs, slots }: Making): Promise<void> {
  const create = async (): Promise<AnyEnv> => makeFromSpec(spec);
  const made = await createAll(envs.length, create);
  for (const [position, index] of envs.entries()) {
    const env = made[position]!;
    const target = slots ? new EnvSlot({ index, create, ...slots }, env, slots.histories?.[position]) : env;
    hosted.set(index, { target, memory: slots?.memory, begun: false });
  }
}

async function perform(call: Call): Promise<Answer> {
  const host = hosted.get(call.env)!;
  const { target } = host;
  const value = await run(target, call);
  if (call.method === 'close') hosted.delete(call.env);
  if (call.method === 'reset' || call.method === 'restore') host.begun = true;
  return answerOf(host, value, regionOf(host, call));
}

function run(target: EnvSlot | AnyEnv, { method, argument }: Call): Awaitable<unknown> {
  switch (method) {
    case 'reset':
      return target.reset(argument as object);
    case 'step':
      return target.step(argument);
    case 'restore':
      return target.restore!(argument as never);
    case 'snapshot':
      return target.snapshot!();
    case 'render':
    case 'close':
      return target[method]();
  }
}

function answerOf({ target, begun }: Hosted, value: unknown, region: Region | undefined): Answer {
  return {
    result: pack(value, region),
    mask: begun ? target.actionMask?.() : undefined,
    history: target instanceof EnvSlot ? target.history : undefined,
  };
}

function regionOf({ memory }: Hosted, { env, buffer }: Call): Region | undefined {
  if (!memory || buffer === undefined) return undefined;
  return { memory: memory.buffer, offset: (2 * env + buffer) * memory.slotBytes, length: memory.slotBytes };
}

/** A step whose result cannot be transferred (a function in its info) fails like one that throws. */
async function failWhatCannotTravel(calls: readonly Call[], answers: readonly Answer[]): Promise<Answer[]> {
  return Promise.all(
    answers.map(async (answer, position) => {
      try {
        structuredClone(answer.result.rest);
        return answer;
      } catch (error) {
        const host = hosted.get(calls[position]!.env)!;
        if (host.target instanceof EnvSlot) return answerOf(host, await host.target.fail(error), undefined);
        throw error;
      }
    }),
  );
}

async function serve(request: Request): Promise<void> {
  const { id } = request;
  try {
    if ('make' in request) {
      await make(request.make);
      return post({ id, ok: true, answers: [] });
    }
    const { calls } = request;
    // starts all, so that asynchronous environments overlap, and waits for all, so that none keeps running
    const answers = await settleAll(calls.map(perform));
    try {
      post({ id, ok: true, answers });
    } catch (error) {
      if (calls[0]?.method !== 'step') throw error;
      post({ id, ok: true, answers: await failWhatCannotTravel(calls, answers) });
    }
  } catch (error) {
    post({ id, ok: false, error: errorData(error) });
  }
}

function errorData(error: unknown): ErrorData {
  const failed = error instanceof VectorEnvFailedError ? error : undefined;
  const cause = failed ? failed.cause : error;
  return {
    ...failureData(cause),
    isOurs: GymError.isInstance(cause),
    ...(failed && { index: failed.index, attempts: failed.attempts }),
  };
}

const post = (reply: Reply): void => port.postMessage(reply);

port.on('message', serve);
