/** Errors that a server tells after it has answered with status 200. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { CorridorEnv } from '../../test-support/corridor-env.js';
import { manualClock } from '../../test-support/manual-clock.js';
import { evaluate, openAICompatibleAgent } from '../index.js';
import { errorInBody, serverError } from './server-error.js';

const WORDS = 'The context has 4096 tokens, the prompt 9001.';

describe('an error in the words of a server', () => {
  it.each([
    [{ message: WORDS, type: 'BadRequestError', code: 400 }, 400, false],
    [{ error: { message: WORDS, code: '400' } }, 400, false],
    [{ message: WORDS, type: 'exceed_context_size_error', code: null }, 400, false],
    [{ message: WORDS, type: 'invalid_request_error', code: 'context_length_exceeded' }, 400, false],
    [{ type: 'error', error: { type: 'overloaded_error', message: WORDS } }, 503, true],
    [{ message: WORDS, type: 'rate_limit_error' }, 429, true],
    [{ message: WORDS, code: 500, type: 'InternalServerError' }, 500, true],
    [{ message: WORDS, code: 401 }, 401, false],
    [{ message: WORDS }, undefined, true],
    [WORDS, undefined, true],
  ])('%j is read as status %s', (value, statusCode, isRetryable) => {
    expect(serverError(value)).toMatchObject({ message: WORDS, isRetryable });
    expect(serverError(value)?.statusCode).toBe(statusCode);
  });

  it.each([undefined, null, '', 7, [], {}, { error: null }, { message: '' }, { code: 400 }])('%j has none', (value) => {
    expect(serverError(value)).toBeUndefined();
  });

  it('is found in bodies and in events, and in no answer', () => {
    const error = { error: { message: WORDS, code: 400 } };
    for (const body of [JSON.stringify(error), `data: ${JSON.stringify(error)}\n\ndata: [DONE]\n\n`]) {
      expect(errorInBody(body)).toMatchObject({ message: WORDS, statusCode: 400 });
    }
    for (const body of ['', 'data: [DONE]', '{"choices":[]}', `"${WORDS}"`, '<html>', undefined]) {
      expect(errorInBody(body)).toBeUndefined();
    }
  });
});

describe('a turn', () => {
  let server: Server | undefined;
  let requests = 0;
  afterEach(() => server?.close());

  /** Every request is answered with `body`. */
  async function play(body: string, type: string, onPart?: () => void, status = 200) {
    requests = 0;
    server = createServer((request, response) => {
      request.resume().on('end', () => {
        requests += 1;
        response.writeHead(status, { 'content-type': type, connection: 'close' }).end(body);
      });
    });
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
    const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const agent = openAICompatibleAgent({ baseURL, model: 'm', clock: manualClock(), ...(onPart && { onPart }) });
    const { firstFailure } = await evaluate({
      env: () => new CorridorEnv({ length: 4, limit: 6 }),
      agent,
      episodes: 1,
    });
    return { requests, ...firstFailure?.error };
  }
  const event = (error: unknown) => `data: ${JSON.stringify({ error })}\n\ndata: [DONE]\n\n`;
  const refusal = { message: WORDS, type: 'BadRequestError', code: 400 };
  const onPart = () => {};
  const told = { requests: 1, code: 'MODEL_HTTP_ERROR', message: `HTTP 400: ${WORDS}` };

  it('says what the server said in the stream, and a refusal is not asked again', async () => {
    expect(await play(event(refusal), 'text/event-stream', onPart)).toMatchObject(told);
  });

  it('says it where an error came in place of the answer', async () => {
    expect(await play(event(refusal), 'text/event-stream')).toMatchObject(told);
    expect(await play(JSON.stringify({ error: refusal }), 'application/json')).toMatchObject(told);
  });

  it('asks again where the server may answer later, and says its words in the end', async () => {
    const { requests, message } = await play(
      event({ message: 'busy', type: 'overloaded' }),
      'text/event-stream',
      onPart,
    );
    expect(requests).toBeGreaterThan(1);
    expect(message).toBe('HTTP 503: busy');
  });

  it('says the words of an error without a status', async () => {
    const { requests, code, message } = await play(event({ message: 'CUDA error' }), 'text/event-stream', onPart);
    expect(requests).toBeGreaterThan(1);
    expect([code, message]).toEqual(['MODEL_STREAM_CUT', 'The answer was cut off: CUDA error']);
  });

  it.each([
    [500, 'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj'],
    [400, 'SmolLM2 is not a multimodal model'],
    [400, 'At most 0 image(s) may be provided in one prompt.'],
    [400, 'Model does not support images. Please use a model that does.'],
    [400, 'Invalid content type. image_url is only supported by certain models.'],
    [404, 'No endpoints found that support image input'],
  ])(
    'with pictures for a server of texts ends the evaluation before its first episode (%s, %s)',
    async (code, words) => {
      await expect(
        play(JSON.stringify({ error: { message: words, code } }), 'application/json', undefined, code),
      ).rejects.toMatchObject({ code: 'MODEL_TEXT_ONLY', message: expect.stringContaining(words) });
      expect(requests).toBe(1);
    },
  );

  it('does not take another complaint about a picture for a server of texts', async () => {
    const body = JSON.stringify({ error: { message: 'image/tiff is not supported', code: 400 } });
    expect(await play(body, 'application/json', undefined, 400)).toMatchObject({ code: 'MODEL_HTTP_ERROR' });
  });
});
