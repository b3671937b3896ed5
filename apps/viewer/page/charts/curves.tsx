/** The curves of a run, or of two, over one cursor. */
import { useMemo } from 'preact/hooks';
import type { UpdateRecord } from '../../src/protocol.js';
import { go, NO_EPISODE, type Place } from '../place.js';
import { Chart, type Series } from './chart.js';

interface Group {
  readonly title: string;
  readonly names: readonly string[];
  readonly isPercent?: boolean;
}

/** What most people look at first; a chart without a value is left out. */
const FIRST: readonly Group[] = [
  { title: 'Success', names: ['evaluation/success-rate', 'train/success-rate'], isPercent: true },
  { title: 'Return', names: ['evaluation/return', 'train/return'] },
  { title: 'Answers', names: ['response/legal', 'response/format-valid', 'response/thought-correct'], isPercent: true },
  { title: 'Entropy, nats', names: ['entropy/action', 'entropy/thought'] },
  { title: 'KL to the reference', names: ['kl/reference-k3', 'kl/reference-k1'] },
  { title: 'Loss', names: ['loss/policy', 'loss/value'] },
];
const MAX_CHARTS = 60;

export interface CurvesProps {
  readonly records: readonly UpdateRecord[];
  readonly others?: readonly UpdateRecord[] | undefined;
  readonly place: Place;
  readonly cursor: number | undefined;
}

export function Curves({ records, others, place, cursor }: CurvesProps) {
  const { metrics } = place;
  const x = useMemo(() => updatesOf(records, others), [records, others]);
  const groups = useMemo(() => groupsOf(records, metrics), [records, metrics]);
  const shown = groups.slice(0, MAX_CHARTS);
  return (
    <section aria-label="Curves">
      <div class="curves" tabIndex={0}>
        {shown.map((group) => (
          <CurveChart key={group.title} {...{ group, x, records, others, cursor }} />
        ))}
      </div>
      <div class="bar">
        {metrics === undefined ? (
          <button type="button" class="quiet" onClick={() => go({ metrics: '*' })}>
            All metrics
          </button>
        ) : (
          <>
            <label>
              Metrics{' '}
              <input
                type="search"
                value={metrics === '*' ? '' : metrics}
                placeholder="a part of the name"
                onInput={(event) => go({ metrics: event.currentTarget.value || '*' }, true)}
              />
            </label>
            <button type="button" class="quiet" onClick={() => go({ metrics: undefined })}>
              The first ones only
            </button>
            {groups.length > MAX_CHARTS && <span class="soft">{groups.length - MAX_CHARTS} more</span>}
          </>
        )}
      </div>
    </section>
  );
}

interface CurveProps extends Pick<CurvesProps, 'records' | 'others' | 'cursor'> {
  readonly group: Group;
  readonly x: readonly number[];
}

function CurveChart({ group: { title, names, isPercent }, x, records, others, cursor }: CurveProps) {
  const series = useMemo(
    () => [
      ...names.flatMap((name, color) => seriesOf(name, x, records, color)),
      ...(others ? names.flatMap((name, color) => seriesOf(name, x, others, color, true)) : []),
    ],
    [records, others, x, names],
  );
  if (series.length === 0) return null;
  // the episodes of that update are what is asked for, whatever was looked at before
  const pick = (update: number) => go({ ...NO_EPISODE, update: String(update), set: undefined });
  return <Chart {...{ title, x, series, cursor, isPercent: isPercent ?? false, onPick: pick }} />;
}

function updatesOf(records: readonly UpdateRecord[], others: readonly UpdateRecord[] = []): number[] {
  return [...new Set([...records, ...others].map(({ update }) => update))].sort((a, b) => a - b);
}

function seriesOf(
  name: string,
  x: readonly number[],
  records: readonly UpdateRecord[],
  color: number,
  dashed = false,
): Series[] {
  const values = new Map(records.map(({ update, metrics }) => [update, metrics[name]]));
  const column = x.map((update) => values.get(update) ?? null);
  if (column.every((value) => value === null)) return [];
  const label = dashed ? `${labelOf(name)} (other)` : labelOf(name);
  return [{ label, color, values: column, dashed }];
}

/** `evaluation/success-rate` → `evaluation` */
const labelOf = (name: string): string =>
  name
    .replace(/^(?:response|entropy|loss|kl)\//, '')
    .replace('/', ' ')
    .replace(/ (?:success-rate|return)$/, '');

function groupsOf(records: readonly UpdateRecord[], metrics: string | undefined): readonly Group[] {
  if (metrics === undefined) return FIRST;
  const names = new Set(records.flatMap((record) => Object.keys(record.metrics)));
  const wanted = metrics === '*' ? '' : metrics.toLowerCase();
  return [...names]
    .filter((name) => name.toLowerCase().includes(wanted))
    .sort()
    .map((name) => ({ title: name, names: [name] }));
}
