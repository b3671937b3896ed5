/**
 * Self-BLEU-2: how much responses repeat each other; 1 means all alike. A first sign of thought collapse.
 *
 * BLEU with unigrams and bigrams, uniform weights, brevity penalty, no smoothing beyond 1e-9; the mean over responses
 * of BLEU against the others (`docs/specs/algorithms.md` 4.6 and 14; BLEU as in Papineni et al. 2002).
 */

/** In [0, 1]; 0 for fewer than two texts. */
export function selfBleu2(texts: readonly string[]): number {
  if (texts.length < 2) return 0;
  const words = texts.map((text) => text.match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu) ?? []);
  const counts = words.map((tokens) => [ngrams(tokens, 1), ngrams(tokens, 2)] as const);
  let sum = 0;
  words.forEach((tokens, index) => {
    const others = words.map((_, i) => i).filter((i) => i !== index);
    const precisions = [0, 1].map((order) => {
      const own = counts[index]![order as 0 | 1];
      let total = 0;
      let matched = 0;
      for (const [gram, count] of own) {
        const most = Math.max(...others.map((i) => counts[i]![order as 0 | 1].get(gram) ?? 0));
        total += count;
        matched += Math.min(count, most);
      }
      return total > 0 ? matched / total : 0;
    });
    const lengths = others.map((i) => words[i]!.length);
    const closest = lengths.reduce((best, n) =>
      Math.abs(n - tokens.length) < Math.abs(best - tokens.length) ? n : best,
    );
    const brevity = tokens.length >= closest ? 1 : Math.exp(1 - closest / Math.max(1, tokens.length));
    const logMean = precisions.reduce((mean, p) => mean + Math.log(Math.max(p, 1e-9)) / 2, 0);
    sum += brevity * Math.exp(logMean);
  });
  return sum / texts.length;
}

function ngrams(tokens: readonly string[], order: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (let i = 0; i + order <= tokens.length; i++) {
    const gram = tokens.slice(i, i + order).join('\u0000');
    counts.set(gram, (counts.get(gram) ?? 0) + 1);
  }
  return counts;
}
