/** Masks of the tokens that the constraints of given responses allowed at each position, for their scores. */
import { type Tensor, tensor } from '@vlgym/gpu';
import type { TokenConstraint } from './token-constraint.js';

/** Score of a token that may not be drawn: its probability is 0 and p · log p is not NaN. */
export const FORBIDDEN_SCORE = -1e9;

export class AllowedTokens {
  /** By row and position: the flags that the token was drawn under; null if it could have been any. */
  readonly #flags: readonly (readonly (Uint8Array | null)[])[];
  readonly #longest: number;

  /** After a response leaves its constraint, this token and all later ones are unconstrained. */
  constructor(
    constraints: readonly (TokenConstraint | undefined)[],
    responses: readonly Int32Array[],
    readonly vocabulary: number,
  ) {
    this.#longest = Math.max(...responses.map(({ length }) => length));
    this.#flags = responses.map((ids, row) => {
      let state = constraints[row]?.start ?? null;
      return Array.from(ids, (id) => {
        const flags = state?.allowed(vocabulary);
        const isAllowed = flags?.[id] === 1;
        state = isAllowed ? state!.next(id) : null;
        return isAllowed ? flags : null;
      });
    });
  }

  /**
   * bool [places, V]
   *
   * @param places  In rows of the longest response, one after the other.
   * @param like    Names the device.
   */
  forbidden(places: Int32Array, like: Tensor): Tensor {
    const { vocabulary } = this;
    const forbidden = new Uint8Array(places.length * vocabulary);
    for (const [i, place] of places.entries()) {
      const flags = this.#flags[Math.floor(place / this.#longest)]?.[place % this.#longest];
      if (!flags) continue;
      for (let id = 0; id < vocabulary; id += 1) forbidden[i * vocabulary + id] = 1 - flags[id]!;
    }
    return tensor(forbidden, { shape: [places.length, vocabulary], dtype: 'bool', device: like.device });
  }
}
