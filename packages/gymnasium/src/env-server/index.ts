/**
 * The child process of the Python package: environments of vlgym over standard input and output.
 *
 * One request, one answer, in order. Whatever the environment prints goes to standard error; the process ends when its
 * parent closes the pipe.
 */
import { GymError } from '@vlgym/core';
import { encodeFrame, FrameReader, PROTOCOL } from '../frames/codec.js';
import { EnvOperations } from './operations.js';

export type Families = Readonly<Record<string, () => Promise<unknown>>>;

/** @param families  Package name → its import; a bundle knows them in advance. */
export async function runEnvServer(families: Families): Promise<void> {
  const write = takeStandardOutput();
  const operations = new EnvOperations(families);
  const reader = new FrameReader();
  try {
    for await (const piece of process.stdin) {
      for (const request of reader.push(piece as Buffer)) write(await answer(operations, request));
    }
  } catch (error) {
    // a broken frame: nothing after it can be read
    write(failure(error));
  }
  await operations.close();
  process.exit(0); // timers of an environment must not keep a process whose parent has gone
}

async function answer(operations: EnvOperations, request: unknown): Promise<unknown> {
  try {
    return { ok: true, ...(await operations.run(request as { op: string })) };
  } catch (error) {
    return failure(error);
  }
}

function failure(error: unknown): unknown {
  const { name = 'Error', message = String(error) } = error instanceof Error ? error : {};
  const { code, hint } = GymError.isInstance(error) ? error : { code: undefined, hint: undefined };
  return { ok: false, protocol: PROTOCOL, error: { name, message, code: code ?? null, hint: hint ?? null } };
}

/** The only way to standard output from here on. */
function takeStandardOutput(): (frame: unknown) => void {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  for (const name of ['log', 'info', 'debug', 'dir', 'table'] as const) console[name] = console.error;
  return (frame) => {
    for (const piece of encodeFrame(frame)) write(piece);
  };
}
