/**
 * Sums of gradients over the ranks of a group, sent in buckets while a backward pass still runs (`gradient-buckets.cpp`).
 *
 *     buckets.arm();          // before the last backward pass of an optimizer step on this rank
 *     loss.backward();        // buckets leave as their gradients become complete
 *     await buckets.sum(1);   // sends the rest; every gradient is now that of all ranks
 *
 * A rank that has no backward pass leaves `arm` out, and sends zeros. All ranks call `sum`.
 */

import { native } from '../native/load.js';
import type { NativeBuckets } from '../native/native.js';
import type { Parameter } from '../nn/parameter.js';
import type { ProcessGroup } from './process-group.js';

/** Bytes of a message, and of the first one, which is ready early; as of PyTorch's DistributedDataParallel. */
const BYTES = 25 * 2 ** 20;
const FIRST_BYTES = 2 ** 20;

export interface GradientBucketsOptions {
  /** Bytes of one message. */
  readonly bytes?: number | undefined;
  readonly firstBytes?: number | undefined;
  /**
   * Buckets may leave during backward passes. A parameter belongs to one such set of buckets at a time. Default true.
   */
  readonly overlap?: boolean | undefined;
}

export class GradientBuckets {
  readonly #native: NativeBuckets;

  constructor(group: ProcessGroup, parameters: readonly Parameter[], options: GradientBucketsOptions = {}) {
    const { bytes = BYTES, firstBytes = Math.min(bytes, FIRST_BYTES), overlap = true } = options;
    const handles = parameters.map(({ handle }) => handle);
    this.#native = native().newBuckets(group.native, handles, firstBytes, bytes, overlap);
  }

  /** Buckets may leave from here on: this rank's gradients of this optimizer step are complete after the next backward pass. */
  arm(): void {
    native().armBuckets(this.#native);
  }

  /**
   * Replaces every gradient by `factor` times its sum over all ranks; equal bytes on every rank.
   *
   * A parameter that has a gradient on some ranks only counts as zero on the others. One that has none anywhere keeps none,
   * so that the optimizer passes it over as it does in one process.
   *
   * @throws {ProcessGroupError} `PROCESS_GROUP_FAILED`: a rank died or hangs.
   */
  sum(factor: number): Promise<void> {
    return native().sumBuckets(this.#native, factor);
  }

  /** Since the beginning: messages that left during a backward pass, and that had to be sent again. */
  get counts(): { readonly buckets: number; readonly early: number; readonly again: number } {
    const [buckets, early, again] = native().bucketCounts(this.#native);
    return { buckets, early, again };
  }

  /** Lets go of the parameters. */
  dispose(): void {
    native().closeBuckets(this.#native);
  }
}
