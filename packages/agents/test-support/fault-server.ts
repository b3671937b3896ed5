/**
 * A server that speaks the chat protocol of OpenAI and fails in every way that servers do; which way is drawn from a seed.
 *
 * It notes what it received and when, by the test's clock, so that a test can check limits from the server's side.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Generator } from '@vlgym/core';
import type { Clock } from '../src/index.js';

export type Fault =
  | 'rate-limit'
  | 'server-error'
  | 'unauthorized'
  | 'bad-request'
  | 'hang-up'
  | 'slow'
  | 'cut-stream'
  | 'cut-body'
  | 'malformed-json'
  | 'malformed-call'
  | 'giant-answer'
  | 'key-echo';

export interface FaultServer {
  readonly baseURL: string;
  /** Times of all requests, by the clock. */
  readonly times: readonly number[];
  /** Tokens of each answered request, in and out. */
  readonly answered: readonly { readonly time: number; readonly input: number; readonly output: number }[];
  readonly faults: ReadonlyMap<Fault, number>;
  close(): Promise<void>;
}

export interface FaultServerOptions {
  readonly seed: number;
  readonly clock: Clock;
  /** Share of requests that fail, for each fault. */
  readonly shares: Partial<Readonly<Record<Fault, number>>>;
  /** The key it repeats. */
  readonly key: string;
  /** Requests in a row that one rate limit refuses. */
  readonly stormLength?: number;
}

const ACTIONS = ['right', 'right', 'left'];

export async function faultServer(options: FaultServerOptions): Promise<FaultServer> {
  const { seed, clock, shares, key, stormLength = 1 } = options;
  const rng = new Generator(seed);
  const times: number[] = [];
  const answered: { time: number; input: number; output: number }[] = [];
  const faults = new Map<Fault, number>();
  let storm = 0;

  function drawFault(): Fault | undefined {
    if (storm > 0) {
      storm -= 1;
      return 'rate-limit';
    }
    let draw = rng.random();
    for (const [fault, share] of Object.entries(shares) as [Fault, number][]) {
      if (draw < share) return fault;
      draw -= share;
    }
    return undefined;
  }

  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { stream = false, tools, max_tokens: limit = 100 } = JSON.parse(body) as Request;
      // arrival is later than sending by what the clock was moved on in the meantime
      times.push(Number(request.headers['x-sent-at'] ?? clock.now()));
      const fault = drawFault();
      if (fault) faults.set(fault, (faults.get(fault) ?? 0) + 1);
      if (fault === 'rate-limit' && storm === 0) storm = rng.integers(stormLength);
      const usage = { input: 20 + rng.integers(30), output: 1 + rng.integers(Math.min(limit, 40)) };
      const time = times.at(-1)!;
      const spent = () => answered.push({ time, ...usage });
      reply({
        response,
        fault,
        stream,
        hasTools: (tools ?? []).length > 0,
        usage,
        action: rng.choice(ACTIONS),
        key,
        spent,
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    times,
    answered,
    faults,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Request {
  readonly stream?: boolean;
  readonly tools?: readonly unknown[];
  readonly max_tokens?: number;
}

interface Reply {
  readonly response: ServerResponse;
  readonly fault: Fault | undefined;
  readonly stream: boolean;
  readonly hasTools: boolean;
  readonly usage: { readonly input: number; readonly output: number };
  readonly action: string;
  readonly key: string;
  readonly spent: () => void;
}

function reply({ response, fault, stream, hasTools, usage, action, key, spent }: Reply): void {
  const fail = (status: number, message: string, headers = {}) =>
    response.writeHead(status, headers).end(JSON.stringify({ error: { message, type: 'x' } }));
  if (fault === 'rate-limit') return void fail(429, `slow down, ${key}`, { 'retry-after': '2' });
  if (fault === 'server-error') return void fail(500, `broken for ${key}`);
  if (fault === 'unauthorized') return void fail(401, `Incorrect API key provided: ${key}`);
  if (fault === 'bad-request') return void fail(400, `cannot read the request of ${key}`);
  if (fault === 'hang-up') return void response.destroy();
  // begins to answer and never continues; the test's `fetch` lets the time limit pass
  if (fault === 'slow') return void response.writeHead(200, { 'x-slow': '1' }).write(' ');
  const tokens = {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
  };
  const args = fault === 'malformed-call' ? '{"action": "ri' : JSON.stringify({ thoughts: 'on', action });
  const call = { index: 0, id: 'call-1', type: 'function', function: { name: 'act', arguments: args } };
  const content =
    fault === 'giant-answer'
      ? 'x'.repeat(1_100_000)
      : fault === 'key-echo'
        ? JSON.stringify({ thoughts: `my key is ${key}`, action })
        : JSON.stringify({ thoughts: 'on', action });
  const isCall = hasTools && fault !== 'giant-answer' && fault !== 'key-echo';
  const message = isCall ? { role: 'assistant', content: null, tool_calls: [call] } : { role: 'assistant', content };
  const finish = isCall ? 'tool_calls' : 'stop';
  if (fault === 'malformed-json')
    return void response.setHeader('content-type', 'application/json').end('{"choices": [');
  const base = { id: '1', created: 0, model: 'fault' };
  if (!stream) {
    const text = JSON.stringify({
      ...base,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: finish }],
      usage: tokens,
    });
    response.setHeader('content-type', 'application/json');
    if (fault === 'cut-body') {
      response.setHeader('content-length', Buffer.byteLength(text));
      response.write(text.slice(0, text.length / 2), () => response.destroy());
      return;
    }
    spent();
    response.end(text);
    return;
  }
  response.setHeader('content-type', 'text/event-stream');
  const event = (data: object) => `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', ...data })}\n\n`;
  response.write(event({ choices: [{ index: 0, delta: message }] }));
  if (fault === 'cut-stream' || fault === 'cut-body') return void response.end();
  spent();
  response.write(event({ choices: [{ index: 0, delta: {}, finish_reason: finish }], usage: tokens }));
  response.end('data: [DONE]\n\n');
}
