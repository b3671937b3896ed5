/** `fetch` whose response ends with an error where it is longer than any answer. */
import { GymError } from '@vlgym/core';

/** An answer of a million characters fits with room for escapes, log-probs and stream frames. */
const MAX_RESPONSE_BYTES = 32 * 2 ** 20;

export const boundedFetch =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    if (!response.body) return response;
    let bytes = 0;
    const body = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          bytes += chunk.byteLength;
          if (bytes <= MAX_RESPONSE_BYTES) controller.enqueue(chunk);
          else controller.error(new ResponseTooLargeError());
        },
      }),
    );
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };

class ResponseTooLargeError extends GymError {
  constructor() {
    super(`The server sent more than ${MAX_RESPONSE_BYTES} bytes.`, { code: 'MODEL_ANSWER_INVALID' });
  }
}
