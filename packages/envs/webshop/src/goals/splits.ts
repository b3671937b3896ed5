/**
 * Which goals are for training and which for tests: the splits of the papers by name (section 5.5).
 *
 * A range counts positions in the shuffled list of goals. The numbers mean what they mean in a paper only on the paper's
 * catalogue: all 1.18 million products with human goals (`webshop`, `agentbench`), 1,000 with synthetic ones (`verl-agent`).
 */
export const SPLITS = {
  /** The original's baselines. */
  webshop: { test: [0, 500], dev: [500, 1500], train: [1500, undefined] },
  /** verl-agent; it also shuffles with a seed of its own, which `goalSeed` sets here. */
  'verl-agent': { test: [0, 500], train: [500, undefined] },
  agentbench: { test: [0, 200], train: [1000, 12_000] },
  /** ReAct and ExpeL: sessions `fixed_0` to `fixed_99`. */
  react: { test: [0, 100] },
} as const satisfies Record<string, Partial<Record<'test' | 'dev' | 'train', readonly [number, number | undefined]>>>;

export type SplitScheme = keyof typeof SPLITS;
export type SplitPart = 'test' | 'dev' | 'train' | 'all';

/** First index and the one after the last; an empty range where the catalogue has too few goals. */
export function splitRange(scheme: SplitScheme, part: SplitPart, goalCount: number): readonly [number, number] {
  if (part === 'all') return [0, goalCount];
  const parts: Readonly<Partial<Record<string, readonly [number, number | undefined]>>> = SPLITS[scheme];
  const [from, to = goalCount] = parts[part] ?? [0, 0];
  return [Math.min(from, goalCount), Math.min(to, goalCount)];
}
