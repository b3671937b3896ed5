import type { WarmStartProgress } from '../experiment/warm-start/warm-start.js';
import { Progress } from './progress.js';
import type { ProgressFile } from './progress-file.js';

/** Shows a warm start; silent when it was done before. */
export function warmStartProgress(file: ProgressFile | undefined, label = 'warm start') {
  let progress: Progress | undefined;
  return {
    update({ examples, total, loss }: WarmStartProgress): void {
      progress ??= new Progress({ label, total, unit: 'labels', file });
      progress.update(examples, `loss ${loss.toFixed(3)}`);
    },
    end: () => progress?.end(),
  };
}
