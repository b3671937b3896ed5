/** Groups sequences of similar length, so that little of a batch is padding. */

export interface Sized {
  readonly prompt: number;
  /** Response tokens; 0 when only prompts are read. */
  readonly response: number;
}

export interface BatchLimits {
  /** Maximum number of tokens of a batch, padding included; a single row may exceed it. */
  readonly tokens: number;
  /** Maximum number of scores (response positions times vocabulary) of a batch. */
  readonly scores: number;
  readonly vocabulary: number;
}

/** Positions of all sequences, each once, in batches within the limits; short sequences come first. */
export function microBatches(sizes: readonly Sized[], { tokens, scores, vocabulary }: BatchLimits): number[][] {
  const order = sizes.map((_, i) => i).sort((a, b) => total(sizes[a]!) - total(sizes[b]!) || a - b);
  const batches: number[][] = [];
  let batch: number[] = [];
  let prompt = 0;
  let response = 0;
  for (const i of order) {
    const size = sizes[i]!;
    const [maxPrompt, maxResponse] = [Math.max(prompt, size.prompt), Math.max(response, size.response)];
    const rows = batch.length + 1;
    const fits = rows * (maxPrompt + maxResponse) <= tokens && rows * maxResponse * vocabulary <= scores;
    if (batch.length > 0 && !fits) {
      batches.push(batch);
      batch = [];
      [prompt, response] = [size.prompt, size.response];
    } else {
      [prompt, response] = [maxPrompt, maxResponse];
    }
    batch.push(i);
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}

function total({ prompt, response }: Sized): number {
  return prompt + response;
}
