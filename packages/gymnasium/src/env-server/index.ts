/**
 * The child process of the Python package: environments of vlgym over standard input and output.
 *
 * One request, one answer, in order. The environment's output goes to standard error; the process ends when its
 * parent closes the pipe.
 */
import { encodeFrame, FrameReader } from '../frames/codec.js';
import { answerTo, failure } from './answer.js';
import { EnvOperations } from './operations.js';
import { type Families, familySource } from './sources.js';

export type { Families } from './sources.js';

/** @param families  Package name → its import; a bundle knows them in advance. */
export async function runEnvServer(families: Families): Promise<void> {
  const write = takeStandardOutput();
  const operations = new EnvOperations(familySource(families));
  const reader = new FrameReader();
  try {
    for await (const piece of process.stdin) {
      for (const request of reader.push(piece as Buffer)) write(await answerTo(operations, request));
    }
  } catch (error) {
    // a broken frame: nothing after it can be read
    write(failure(error));
  }
  await operations.close();
  process.exit(0); // timers of an environment must not keep a process whose parent has gone
}

/** The only way to standard output from here on. */
function takeStandardOutput(): (frame: unknown) => void {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  for (const name of ['log', 'info', 'debug', 'dir', 'table'] as const) console[name] = console.error;
  return (frame) => {
    process.stdout.cork(); // one system call for all pieces
    for (const piece of encodeFrame(frame)) write(piece);
    process.stdout.uncork();
  };
}
