/** Bars that filter: each is a button for its range. */
import type { Bar } from '../../src/protocol.js';
import { short } from '../format.js';

interface HistogramProps {
  readonly title: string;
  readonly bars: readonly Bar[];
  /** `low..high` of the filter. */
  readonly range: string | undefined;
  readonly onRange: (range: string | undefined) => void;
}

export function Histogram({ title, bars, range, onRange }: HistogramProps) {
  if (bars.length === 0) return null;
  const most = Math.max(...bars.map(({ count }) => count));
  const [low, high] = (range ?? '').split('..').map(Number);
  const between = (from: number, to: number) =>
    short(from) === short(to) ? short(from) : `${short(from)} to ${short(to)}`;
  const isIn = ({ from, to }: Bar) => range === undefined || (from >= low! - 1e-9 && to <= high! + 1e-9);
  return (
    <figure class="histogram">
      <figcaption class="soft">
        {title} {range ? between(low!, high!) : between(bars[0]!.from, bars.at(-1)!.to)}
      </figcaption>
      <div class="bars">
        {bars.map((bar) => {
          const own = `${bar.from}..${bar.to}`;
          const label = `${title} ${between(bar.from, bar.to)}: ${bar.count}`;
          return (
            <button
              key={own}
              type="button"
              disabled={bar.count === 0}
              title={label}
              aria-label={label}
              aria-pressed={range === own}
              onClick={() => onRange(range === own ? undefined : own)}
            >
              <span
                class={isIn(bar) ? 'in' : ''}
                style={{ height: `${Math.max(bar.count > 0 ? 6 : 0, (100 * bar.count) / most)}%` }}
              />
            </button>
          );
        })}
      </div>
    </figure>
  );
}
