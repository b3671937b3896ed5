/**
 * The thread of a worker vector: makes its environments from the spec and answers one request at a time.
 *
 * It does not inherit registrations, so the spec names the module to import (process vectors without this fail with
 * `NamespaceNotFound`, for example in `huggingface/lerobot#448`).
 */
import { parentPort, workerData } from 'node:worker_threads';
import { settleAll } from '../async/settle-all.js';
import type { AnyEnv, Awaitable, RenderFrame, ResetResult, StepResult } from '../env.js';
import { makeFromSpec } from '../registry/make.js';
import { createAll } from './base-vector-env.js';
import { EnvSlot } from './env-slot.js';
import { type Packed, pack, type Region } from './packed.js';
import { failureData, VectorEnvFailedError } from './vector-env.js';
import type { Answers, Reply, Request, WorkerSetup } from './worker-protocol.js';

const port = parentPort!;
const { spec, indices, histories, autoreset, stepTimeoutMs, memory } = workerData as WorkerSetup;
const create = async (): Promise<AnyEnv> => makeFromSpec(spec);
let slots: EnvSlot[] = [];

function region(position: number, buffer: 0 | 1): Region | undefined {
  if (!memory) return undefined;
  const offset = (2 * indices[position]! + buffer) * memory.slotBytes;
  return { memory: memory.buffer, offset, length: memory.slotBytes };
}

/** Starts all, so that asynchronous environments overlap, and waits for all, so that none keeps running. */
async function forEachSlot<T>(task: (slot: EnvSlot, position: number) => Awaitable<T>): Promise<T[]> {
  return settleAll(slots.map(async (slot, position) => task(slot, position)));
}

function packAll(results: readonly (ResetResult<unknown> | StepResult<unknown> | undefined)[], buffer: 0 | 1) {
  return results.map((result, position): Packed | undefined => result && pack(result, region(position, buffer)));
}

async function answer(request: Request): Promise<Answers> {
  switch (request.type) {
    case 'reset':
      return {
        results: packAll(
          await forEachSlot<ResetResult<unknown> | undefined>((slot, position) => {
            const options = request.plan[position];
            return options && slot.reset(options);
          }),
          request.buffer,
        ),
      };
    case 'step':
      return {
        results: packAll(
          await forEachSlot<StepResult<unknown> | undefined>((slot, position) => {
            const entry = request.actions[position];
            return entry && slot.step(entry.action);
          }),
          request.buffer,
        ),
      };
    case 'render':
      return { frames: await forEachSlot<RenderFrame>((slot) => slot.env?.render()) };
    case 'snapshot':
      return { slots: slots.map((slot) => slot.snapshot()) };
    case 'restore':
      await forEachSlot((slot, position) => slot.restore(request.slots[position]!));
      return {};
    case 'close':
      await forEachSlot((slot) => slot.close());
      return {};
  }
}

/** A step whose result cannot be transferred (a function in its info) fails like one that throws. */
async function failWhatCannotTravel(results: readonly (Packed | undefined)[]): Promise<(Packed | undefined)[]> {
  return Promise.all(
    results.map(async (result, position) => {
      try {
        structuredClone(result?.rest);
        return result;
      } catch (error) {
        return { rest: await slots[position]!.fail(error), arrays: [] };
      }
    }),
  );
}

async function serve(request: Request): Promise<void> {
  try {
    const answers = await answer(request);
    try {
      post(answers);
    } catch (error) {
      if (request.type !== 'step') throw error;
      post({ results: await failWhatCannotTravel(answers.results!) });
    }
  } catch (error) {
    postError(error);
  }
}

function post(answers: Answers): void {
  const reply: Reply = {
    ok: true,
    ...answers,
    masks: slots.map((slot) => slot.actionMask()),
    histories: slots.map((slot) => slot.history),
  };
  port.postMessage(reply);
}

function postError(error: unknown): void {
  const failed = error instanceof VectorEnvFailedError ? error : undefined;
  const reply: Reply = {
    ok: false,
    error: {
      ...failureData(failed ? failed.cause : error),
      ...(failed ? { index: failed.index, attempts: failed.attempts } : {}),
    },
  };
  port.postMessage(reply);
}

async function start(): Promise<void> {
  try {
    const envs = await createAll(indices.length, create);
    slots = envs.map(
      (env, position) =>
        new EnvSlot({ index: indices[position]!, create, autoreset, stepTimeoutMs }, env, histories?.[position]),
    );
    port.on('message', serve);
    post({});
  } catch (error) {
    postError(error);
  }
}

void start();
