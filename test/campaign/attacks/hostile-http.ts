/** Raw bytes against the shop's server and the play page's: no 5xx, no death, and a good request is answered after each. */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Generator } from '@vlgym/core';
import { ROOT } from '../../support/workspaces.js';
import type { Attack, Finding } from '../attack.js';

const SCRIPT = fileURLToPath(new URL('../children/servers.ts', import.meta.url));
const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const REQUESTS = 150;

const METHODS = [
  'GET',
  'POST',
  'HEAD',
  'PUT',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'get',
  '\0',
  'GET /x HTTP/1.1\r\nA: b\r\n\r\nPOST',
];
const PATHS = [
  ...[
    '',
    'state',
    'open',
    'move',
    'restart',
    'hint',
    '../../etc/passwd',
    '%2e%2e/%2e%2e/',
    '%',
    '%zz',
    '%00',
    '?q=%',
    '//evil.example/',
  ],
  ...[
    'fixed_0',
    'search_results/fixed_0/%5B%22red%22%5D/1',
    'item_page/fixed_0/B000000001/%5B%5D/1/%7B%7D',
    'abc/search_results',
    'done/x/y/z',
  ],
  ...[
    'search_results/fixed_0/["\u200d"]/-1',
    'item_page/x/y/[/1/{',
    'x'.repeat(5000),
    `search_results/fixed_0/["${'a '.repeat(3000)}"]/1`,
  ],
];
const HEADERS = [
  ...[
    'host: evil.example',
    'host:',
    'origin: null',
    'origin: https://evil.example',
    'content-type: application/json',
    'content-type: text/plain',
  ],
  ...[
    'content-length: 5',
    'content-length: -1',
    'content-length: 99999999999',
    'transfer-encoding: chunked',
    'expect: 100-continue',
  ],
  ...[
    'upgrade: websocket',
    'connection: upgrade',
    'range: bytes=0-',
    'sec-fetch-site: cross-site',
    `x-long: ${'y'.repeat(20_000)}`,
  ],
  ...['content-type: application/x-www-form-urlencoded', 'cookie: a=b', 'accept-encoding: *', ': empty', 'bad header'],
];
const BODIES = [
  ...[
    '',
    '{',
    '{}',
    'null',
    '[]',
    '{"turn":1,"text":"+"}',
    '{"turn":1e999,"text":{}}',
    '{"seed":-1}',
    '{"seed":9007199254740993}',
  ],
  ...[
    '5\r\nhello\r\n0\r\n\r\n',
    'zz\r\n',
    `{"turn":1,"text":"${'z'.repeat(70_000)}"}`,
    '{"__proto__":{"a":1}}',
    'search=%',
    'search=★&x=',
  ],
];

interface Target {
  readonly name: string;
  readonly port: number;
  /** Path that a good request takes. */
  readonly base: string;
}

export const hostileHttp: Attack = {
  name: 'hostile-http',
  about: 'raw and broken requests against the shop and the play page',
  async run({ rng }) {
    const child = spawn(process.execPath, ['--import', TSX, SCRIPT], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    let errors = '';
    child.stderr.on('data', (data) => {
      errors += data;
    });
    const findings: Finding[] = [];
    let requests = 0;
    try {
      const targets = await addresses(child.stdout);
      for (; requests < REQUESTS && findings.length === 0; requests += 1) {
        const target = rng.choice(targets);
        const bytes = drawRequest(rng, target);
        const command = `printf %s ${Buffer.from(bytes).toString('base64').slice(0, 4000)} | base64 -d  # to the ${target.name}`;
        const answer = await send(target.port, bytes, rng.random() < 0.2);
        const status = /^HTTP\/1\.1 (5\d\d)/m.exec(answer)?.[1];
        if (status)
          findings.push({ title: `the ${target.name} answers ${status}`, detail: answer.slice(0, 1500), command });
        const dead = child.exitCode !== null || child.signalCode !== null;
        if (dead)
          findings.push({ title: `the ${target.name} dies of a request`, detail: errors.slice(-1500), command });
        else if (requests % 10 === 9 && !(await isWell(target))) {
          findings.push({
            title: `the ${target.name} does not answer a good request any more`,
            detail: errors.slice(-1500),
            command,
          });
        }
      }
    } finally {
      child.kill('SIGKILL');
    }
    return { counts: { requests }, findings };
  },
};

async function addresses(output: NodeJS.ReadableStream): Promise<Target[]> {
  for await (const line of createInterface(output)) {
    if (!line.startsWith('{')) continue;
    return Object.entries(JSON.parse(line) as Record<string, string>).map(([name, address]) => {
      const { port, pathname } = new URL(address);
      return { name: name === 'page' ? 'play page' : 'shop', port: Number(port), base: pathname };
    });
  }
  throw new Error('the servers did not start');
}

function drawRequest(rng: Generator, { port, base }: Target): string {
  const some = (list: readonly string[], most: number) =>
    Array.from({ length: rng.integers(0, most + 1) }, () => rng.choice(list));
  const host = rng.random() < 0.8 ? [`host: 127.0.0.1:${port}`] : [];
  const json = rng.random() < 0.4 ? [`origin: http://127.0.0.1:${port}`, 'content-type: application/json'] : [];
  const body = rng.choice(BODIES);
  const length = rng.random() < 0.7 ? [`content-length: ${Buffer.byteLength(body)}`] : [];
  const path = (rng.random() < 0.8 ? base : '/') + rng.choice(PATHS);
  const lines = [`${rng.choice(METHODS)} ${path} HTTP/1.1`, ...host, ...json, ...length, ...some(HEADERS, 3)];
  const request = `${lines.join('\r\n')}\r\n\r\n${body}`;
  return rng.random() < 0.1 ? request.slice(0, rng.integers(0, request.length)) : request;
}

/** Sends the bytes and reads for a moment; an aborted one is cut off at once. */
function send(port: number, bytes: string, abort: boolean): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(bytes);
      if (abort) socket.destroy();
      else setTimeout(() => socket.destroy(), 60);
    });
    socket.on('data', (data) => {
      answer += data;
    });
    socket.on('error', () => {});
    socket.once('close', () => resolve(answer));
  });
}

async function isWell({ port, base }: Target): Promise<boolean> {
  try {
    const { status } = await fetch(`http://127.0.0.1:${port}${base}`, { signal: AbortSignal.timeout(20_000) });
    return status === 200;
  } catch {
    return false;
  }
}
