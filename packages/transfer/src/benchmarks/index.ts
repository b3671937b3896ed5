/** Every benchmark under every rule; the first one of an id is its default. */
import { InvalidOptionError } from '@vlgym/core';
import type { Benchmark } from '../benchmark.js';
import { erqaInterleaved, erqaPicturesFirst, erqaReasoning, erqaStrict } from './erqa.js';
import { mmbench, mmbenchJudge } from './mmbench.js';
import { mme } from './mme.js';
import { mmstar2025, mmstar2026 } from './mmstar.js';
import { muirBench, muirBenchInterleaved } from './muirbench.js';
import { gqa, mirb, mmeRealWorld, mmtBench } from './others.js';
import { ownQuestions } from './own.js';
import { videoMme2025, videoMme2026 } from './video-mme.js';
import { visualWebBench, visualWebBenchOfficial } from './visual-web-bench.js';
import { vsiBench2025, vsiBench2026, vsiBenchApi2025, vsiBenchApi2026 } from './vsi-bench.js';

export const BENCHMARKS: readonly Benchmark[] = [
  vsiBench2025,
  vsiBench2026,
  vsiBenchApi2025,
  vsiBenchApi2026,
  erqaInterleaved,
  erqaPicturesFirst,
  erqaReasoning,
  erqaStrict,
  muirBench,
  muirBenchInterleaved,
  videoMme2025,
  videoMme2026,
  visualWebBench,
  visualWebBenchOfficial,
  mmbench,
  mmbenchJudge,
  mme,
  mmstar2025,
  mmstar2026,
  mmeRealWorld,
  mmtBench,
  mirb,
  gqa,
  ownQuestions,
];

/**
 * @param name  `vsi-bench` for its default rules, or `vsi-bench/lmms-eval-2026`.
 * @throws {InvalidOptionError}
 */
export function benchmark(name: string): Benchmark {
  const found = BENCHMARKS.find(({ id, rules }) => name === id || name === `${id}/${rules}`);
  if (found) return found;
  throw new InvalidOptionError('benchmark', name, BENCHMARKS.map(({ id, rules }) => `${id}/${rules}`).join(', '));
}
