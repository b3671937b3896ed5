/** Real servers as separate processes, on free ports, ended with everything that they started. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../support/free-port.js';

/** Folder of the set-up; undefined if `npm test` runs without it. */
export const home = process.env.VLGYM_TEST_REAL;
/** For the titles of skipped tests. */
export const reason = home === undefined ? ' (skipped: needs the set-up of `npm run test:real`)' : '';

export const modelFolder = join(home ?? '', 'smollm2-qwen2_5-vl');
export const toyFolder = join(home ?? '', 'toy');
const ggufFile = join(home ?? '', 'smollm2-f32.gguf');
export const python = join(home ?? '', 'venv/bin/python');

/** A ceiling; servers on a busy machine take minutes. */
const START_MS = 1_800_000;

export interface RealServer {
  readonly url: string;
  readonly port: number;
  /** Kills it and all that it started. */
  stop(): Promise<void>;
}

async function start(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  port: number,
): Promise<RealServer> {
  // never from a folder with a package of the server's name
  const child = spawn(command, args, { cwd: '/', env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      log = (log + chunk).slice(-20_000);
    });
  }
  const url = `http://127.0.0.1:${port}`;
  await once(child, 'spawn');
  const end = once(child, 'exit');
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  let isStopped = false;
  const stop = async () => {
    isStopped = true;
    if (!isOver()) process.kill(-child.pid!, 'SIGKILL');
    await end;
  };
  void end.then(() => {
    if (!isStopped) process.stderr.write(`${command} ended by itself:\n${log}\n`);
  });
  const limit = performance.now() + START_MS;
  while (!(await answers(`${url}/health`))) {
    if (isOver() || performance.now() > limit) {
      await stop();
      throw new Error(`${command} does not answer:\n${log}`);
    }
    await sleep(500);
  }
  return { url, port, stop };
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(5_000) })).ok;
  } catch {
    return false;
  }
}

/** Serves a folder as `base`, with room for adapters of rank 32. */
export async function startVllm(folder: string, port?: number): Promise<RealServer> {
  const listen = port ?? (await freePort());
  const flags = [
    ...['--host', '127.0.0.1', '--port', String(listen), '--served-model-name', 'base', '--dtype', 'float32'],
    ...['--enforce-eager', '--max-model-len', '2048', '--max-num-seqs', '8', '--max-num-batched-tokens', '2048'],
    ...['--enable-lora', '--max-loras', '4', '--max-cpu-loras', '8', '--max-lora-rank', '32', '--enable-scale-out'],
    ...['--generation-config', 'vllm', '--logprobs-mode', 'processed_logprobs'],
    // on a CPU, 0.32 ends with "CPU Generator does not use offset" where it cuts the prompt of a request with a seed
    '--no-enable-chunked-prefill',
  ];
  const env = {
    ...process.env,
    ...{ VLLM_CPU_KVCACHE_SPACE: '1', VLLM_CPU_OMP_THREADS_BIND: 'nobind', OMP_NUM_THREADS: '1' },
    ...{ VLLM_ALLOW_RUNTIME_LORA_UPDATING: '1', VLLM_NO_USAGE_STATS: '1', DO_NOT_TRACK: '1' },
    ...{ HF_HUB_OFFLINE: '1', TRANSFORMERS_OFFLINE: '1' },
  };
  return start(join(home!, 'venv/bin/vllm'), ['serve', folder, ...flags], env, listen);
}

/** Serves the language model of `modelFolder`, text alone. @param adapter  A GGUF that `/lora-adapters` puts into force. */
export async function startLlamaCpp(adapter?: string): Promise<RealServer> {
  const port = await freePort();
  const args = [script('llama_server.py'), ggufFile, String(port), ...(adapter === undefined ? [] : [adapter])];
  return start(python, args, process.env, port);
}

/** Path of a Python script of this folder. */
export const script = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
