/** Prompts with responses as tensors, and forwards over them. */
import type { Tensor } from '@vlgym/gpu';
import type { BatchBuilder, TokenBatch } from '../batch/batch-builder.js';
import type { TokenRow } from '../batch/token-rows.js';
import type { ForwardContext } from '../language-model.js';
import type { ActorCritic } from '../layers/actor-critic.js';

/** B rows with responses of at most L tokens, ready for any number of forwards. */
export class ResponseBatch {
  /** int64 [B, L], 0 on padding. */
  readonly responseIds: Tensor;
  /** [B, L] float 1 on response tokens. */
  readonly mask: Tensor;
  readonly #network: ActorCritic;
  readonly #tokens: TokenBatch;
  readonly #context: ForwardContext;

  constructor(
    network: ActorCritic,
    builder: BatchBuilder,
    rows: readonly (TokenRow & { readonly responseIds: Int32Array })[],
  ) {
    const longest = Math.max(...rows.map(({ responseIds }) => responseIds.length));
    const ids = new Int32Array(rows.length * longest);
    for (const [i, { responseIds }] of rows.entries()) ids.set(responseIds, i * longest);
    const mask = new Float32Array(ids.length);
    for (const [i, { responseIds }] of rows.entries()) mask.fill(1, i * longest, i * longest + responseIds.length);
    // the last token is predicted, never read
    this.#tokens = builder.tokens(rows, longest - 1);
    const width = this.#tokens.promptLength + longest - 1;
    this.#context = {
      positions: network.language.positions(this.#tokens, width),
      mask: builder.causalMask(this.#tokens, width),
    };
    this.#network = network;
    this.responseIds = builder.ints(ids, [rows.length, longest]);
    this.mask = builder.floats(mask, [rows.length, longest]);
  }

  /** States that the response tokens follow from [B, L, D], and those at the last prompt token [B, D]. */
  forward(): { states: Tensor; prompts: Tensor } {
    const { language } = this.#network;
    const all = language.forward(language.embed(this.#tokens.ids, this.#tokens.images), this.#context);
    const first = this.#tokens.promptLength - 1;
    return { states: all.narrow(1, first, this.mask.size(1)), prompts: all.select(1, first) };
  }

  /** [B, L, V] log-softmax(logits / temperature), in float32 or wider. */
  logSoftmax(states: Tensor, temperature: number): Tensor {
    const logits = this.#network.language.logits(states);
    const wide = logits.dtype === 'float64' ? logits : logits.to('float32');
    return (temperature === 1 ? wide : wide.div(temperature)).logSoftmax(-1);
  }

  /** States at the last prompt token [B, D] → [B]. */
  values(prompts: Tensor): Tensor {
    return this.#network.valueHead.forward(prompts);
  }
}
