/**
 * Clients that cost a server more than themselves: counts and shapes without bytes behind them, answers that nobody reads,
 * connections that say nothing. The server lives, its memory is bounded, and somebody else is answered.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Generator } from '@vlgym/core';
import { ROOT } from '../../support/workspaces.js';
import type { Attack, Finding } from '../attack.js';

const SCRIPT = fileURLToPath(new URL('../children/session-servers.ts', import.meta.url));
const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
/** Bytes that a server may gain by one client. */
const MAX_GAIN = 200 * 2 ** 20;
const FRAMES = 20;
/** Seconds in which places of silent connections are free again. */
const SILENT = 25;

interface Ports {
  readonly openEnv: number;
  readonly frames: number;
}

const open = async (port: number, words: string): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  socket.write(words);
  return socket;
};
const head = (line: string, ...more: string[]) => [line, 'host: localhost', ...more, '', ''].join('\r\n');

const frame = (value: unknown, body = 0): Buffer => {
  const header = Buffer.from(JSON.stringify(value));
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32LE(header.length, 0);
  lengths.writeUInt32LE(body, 4);
  return Buffer.concat([lengths, header, Buffer.alloc(body)]);
};

/** Shapes that have exhausted memory, and counts that no bytes stand for. */
const KNOWN = [
  frame({ op: 'step', action: { $nd: ['|u1', [100, 50_000_000, 0], 0, 0] } }),
  frame({ op: 'step', action: { $nd: ['|u1', [4_000_000, 1, 1, 1, 1, 1, 1, 1], 0, 4_000_000] } }, 4_000_000),
];

function drawFrame(rng: Generator): Buffer {
  const sizes = [0, 1, 2, 3, 100, 65_536, 1_000_000, 50_000_000, 2 ** 53 - 1, -1, 1.5];
  const shape = Array.from({ length: rng.integers(1, 9) }, () => rng.choice(sizes));
  const product = shape.reduce((all, each) => all * each, 1);
  const bytes = Number.isSafeInteger(product) && product >= 0 && product <= 4_000_000 ? product : 0;
  const nd = { $nd: [rng.choice(['|u1', '|b1', '|O']), shape, 0, bytes] };
  const requests = [
    frame({ op: 'step', action: nd }, bytes),
    frame({ op: 'reset', seed: nd, options: { a: nd } }, bytes),
    frame({ op: 'restore', snapshot: { a: [nd, nd] } }, bytes),
    frame({ op: 'make', id: 'vlgym/Blackjack-v1', num_envs: rng.choice(sizes), max_episode_steps: rng.choice(sizes) }),
    frame({ op: 'reset', seed: { $int: '9'.repeat(rng.choice([10, 5000, 2_000_000])) } }),
  ];
  return rng.choice(requests);
}

const KINDS: readonly ((ports: Ports, rng: Generator) => Promise<readonly Socket[]>)[] = [
  async function counts({ frames }, rng) {
    const sockets: Socket[] = [];
    for (let round = 0; round < FRAMES; round += 1) {
      const socket = await open(frames, head('GET /env HTTP/1.1', 'connection: Upgrade', 'upgrade: vlgym.env'));
      await once(socket.resume(), 'data');
      socket.write(frame({ op: 'hello', protocol: 'vlgym.env/1' }));
      socket.write(frame({ op: 'make', id: 'vlgym/Blackjack-v1' }));
      socket.write(frame({ op: 'reset' }));
      socket.end(KNOWN[round] ?? drawFrame(rng));
      const closed = socket.closed ? undefined : once(socket, 'close');
      // one that computes without an end answers nobody: that is found below
      if ((await Promise.race([closed, wait(20_000, 'late')])) === 'late') break;
    }
    return sockets;
  },
  async function neverReads({ openEnv }) {
    const key = 'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==';
    const upgrade = ['connection: Upgrade', 'upgrade: websocket', 'sec-websocket-version: 13', key];
    const socket = (await open(openEnv, head('GET /ws?images=raw HTTP/1.1', ...upgrade))).pause();
    const text = Buffer.from('{"type":"reset","data":{"seed":1}}');
    const message = Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text]); // a mask of zeros
    for (let sent = 0; sent < 600 && !socket.destroyed; sent += 1) {
      socket.write(message);
      await wait(5);
    }
    return [socket];
  },
  async function sendsAhead({ openEnv }) {
    const line = head('POST /reset?images=raw HTTP/1.1', 'content-length: 0');
    const sockets = [];
    for (let client = 0; client < 20; client += 1) sockets.push((await open(openEnv, line.repeat(15))).pause());
    await wait(3000);
    return sockets;
  },
  async function silent({ openEnv }, rng) {
    const words = rng.choice([
      '',
      'POST /reset HTTP/1.1\r\nhost: localhost\r\n',
      head('GET /no HTTP/1.1', 'upgrade: x'),
    ]);
    return Promise.all(Array.from({ length: 330 }, () => open(openEnv, words)));
  },
];

export const hostileSessions: Attack = {
  name: 'hostile-sessions',
  about: 'counts without bytes, clients that never read, silent connections, against the servers with sessions',
  least: KINDS.length,
  async run({ rng, index }) {
    const child = spawn(process.execPath, ['--import', TSX, SCRIPT], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    let errors = '';
    child.stderr.on('data', (data) => {
      errors = (errors + data).slice(-1500);
    });
    const kind = KINDS[index % KINDS.length]!;
    const findings: Finding[] = [];
    try {
      const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
      const ports = JSON.parse(line) as Ports;
      if (!(await isAnswered(ports, 20))) throw new Error('the servers do not answer');
      const before = memoryOf(child.pid!);
      const sockets = await kind(ports, rng);
      const gain = memoryOf(child.pid!) - before;
      if (gain > MAX_GAIN) findings.push({ title: `${kind.name} takes memory`, detail: `${gain} bytes by one client` });
      if (!(await isAnswered(ports, SILENT)))
        findings.push({ title: `${kind.name} keeps others out`, detail: `for more than ${SILENT} s\n${errors}` });
      if (child.exitCode !== null || child.signalCode !== null)
        findings.push({ title: `the server dies of ${kind.name}`, detail: errors });
      for (const socket of sockets) socket.destroy();
    } finally {
      child.kill('SIGKILL');
    }
    return { counts: { clients: 1 }, findings };
  },
};

/** Resident bytes; 0 where the system does not say, or the process has ended. */
function memoryOf(pid: number): number {
  try {
    return 1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Somebody else gets an answer of both servers, some time within the seconds. */
async function isAnswered({ openEnv, frames }: Ports, seconds: number): Promise<boolean> {
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const answers = [openEnv, frames].map((port) =>
      fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(5000) }).then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
    if ((await Promise.all(answers)).every(Boolean)) return true;
    await wait(500);
  }
  return false;
}
