import type { WarmStartProgress } from '../experiment/warm-start.js';
import { Progress } from './progress.js';
import { percent } from './style.js';

/** Shows a warm start: it ends when the success rate is reached, at the latest after all examples. */
export function warmStartProgress() {
  let progress: Progress | undefined;
  return {
    update({ examples, maxExamples, loss, success }: WarmStartProgress): void {
      progress ??= new Progress({ label: 'warm start', total: maxExamples, unit: 'labels' });
      const rate = success === undefined ? '' : ` · success ${percent(success, 0)}`;
      progress.update(examples, `loss ${loss.toFixed(3)}${rate}`);
    },
    end: () => progress?.end(),
  };
}
