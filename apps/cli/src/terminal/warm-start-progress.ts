import type { WarmStartProgress } from '../experiment/warm-start.js';
import { Progress } from './progress.js';

/** Shows a warm start; silent when it was done before. */
export function warmStartProgress(label = 'warm start') {
  let progress: Progress | undefined;
  return {
    update({ examples, total, loss }: WarmStartProgress): void {
      progress ??= new Progress({ label, total, unit: 'labels' });
      progress.update(examples, `loss ${loss.toFixed(3)}`);
    },
    end: () => progress?.end(),
  };
}
