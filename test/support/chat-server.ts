/** A server that speaks the chat protocol of OpenAI, as far as a model agent needs it. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The text of answer number `request`, from 1; nothing leaves the request open; a function writes what it likes. */
export type Answer = (request: number) => string | undefined | ((response: ServerResponse) => void);

export interface ChatServer {
  /** For `baseURL`. */
  readonly url: string;
  /** Requests so far. */
  readonly requests: number;
  answer: Answer;
  close(): Promise<void>;
}

export async function chatServer(answer: Answer): Promise<ChatServer> {
  const state = { answer, requests: 0 };
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      state.requests += 1;
      const text = state.answer(state.requests);
      if (typeof text === 'function') text(response);
      if (typeof text !== 'string') return;
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          id: `answer-${state.requests}`,
          object: 'chat.completion',
          created: 0,
          model: 'test',
          choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: text } }],
          usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
        }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    get requests() {
      return state.requests;
    },
    get answer() {
      return state.answer;
    },
    set answer(next) {
      state.answer = next;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
