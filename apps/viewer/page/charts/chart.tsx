/** One chart over updates. The only file that knows uPlot: everything else gives it numbers. */
import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { short } from '../format.js';

export interface Series {
  readonly label: string;
  /** One of the colors of the style sheet, 0 to 9. */
  readonly color: number;
  readonly dashed?: boolean;
  /** One entry for each x. */
  readonly values: readonly (number | null)[];
}

export interface ChartProps {
  readonly title: string;
  readonly x: readonly number[];
  readonly series: readonly Series[];
  /** Where the cursor of the page is. */
  readonly cursor: number | undefined;
  readonly onPick: (x: number) => void;
  readonly isPercent?: boolean;
}

const HEIGHT = 132;
/** Charts with one name move their hair lines together. */
const TOGETHER = 'updates';

export function Chart(props: ChartProps) {
  const { title, x, series, cursor, isPercent = false } = props;
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const [hovered, setHovered] = useState<number | null>(null);
  const shape = series.map(({ label, color, dashed }) => `${label} ${color} ${dashed}`).join('|');
  const theme = useTheme();

  useEffect(() => {
    const host = place.current!;
    const style = getComputedStyle(document.documentElement);
    const color = (name: string) => style.getPropertyValue(name).trim();
    const axis = {
      stroke: color('--soft'),
      grid: { stroke: color('--line'), width: 1 },
      ticks: { show: false },
      font: '11px system-ui',
    };
    const chart = new uPlot(
      {
        width: host.clientWidth || 300,
        height: HEIGHT,
        legend: { show: false },
        cursor: { sync: { key: TOGETHER }, drag: { x: false, y: false }, points: { size: 7 } },
        scales: { x: { time: false }, y: isPercent ? { range: [0, 1] } : {} },
        axes: [
          { ...axis, size: 22, incrs: WHOLE },
          {
            ...axis,
            size: 46,
            values: (_, ticks) => ticks.map((tick) => (isPercent ? `${Math.round(tick * 100)} %` : short(tick))),
          },
        ],
        series: [
          {},
          ...latest.current.series.map(({ label, color: index, dashed }) => ({
            label,
            stroke: color(`--c${index % 10}`),
            width: 2,
            spanGaps: true,
            ...(dashed && { dash: [5, 4] }),
            points: { show: latest.current.x.length < 60, size: 5 },
          })),
        ],
        hooks: {
          setCursor: [(self) => setHovered(self.cursor.idx ?? null)],
          draw: [(self) => drawCursor(self, latest.current.cursor, color('--ink'))],
        },
      },
      dataOf(latest.current),
      host,
    );
    plot.current = chart;
    chart.over.addEventListener('click', () => {
      const { idx } = chart.cursor;
      const at = idx === null || idx === undefined ? undefined : latest.current.x[idx];
      if (at !== undefined) latest.current.onPick(at);
    });
    const observer = new ResizeObserver(() => chart.setSize({ width: host.clientWidth, height: HEIGHT }));
    observer.observe(host);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [shape, isPercent, theme]);

  useEffect(() => plot.current?.setData(dataOf(props)), [x, series]);
  useEffect(() => plot.current?.redraw(false), [cursor]);

  const shown = hovered ?? indexAt(x, cursor);
  const say = (value: number | null | undefined) =>
    value === null || value === undefined ? '–' : isPercent ? `${Math.round(value * 100)} %` : short(value);
  return (
    <figure class="chart">
      <figcaption>
        <strong>{title}</strong>
        {series.map(({ label, color, values, dashed }) => (
          <span key={label} class={`key c${color % 10}${dashed ? ' dashed' : ''}`}>
            {label} <b>{say(valueAt(values, shown))}</b>
          </span>
        ))}
      </figcaption>
      <div ref={place} class="plot" role="img" aria-label={summaryOf(props, say)} />
    </figure>
  );
}

/** Steps between labels of updates. */
const WHOLE = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000, 100_000];

const dataOf = ({ x, series }: ChartProps): uPlot.AlignedData => [[...x], ...series.map(({ values }) => [...values])];

function drawCursor(plot: uPlot, at: number | undefined, color: string): void {
  if (at === undefined) return;
  const { ctx, bbox } = plot;
  const x = Math.round(plot.valToPos(at, 'x', true));
  if (x < bbox.left - 1 || x > bbox.left + bbox.width + 1) return;
  ctx.save();
  ctx.strokeStyle = color;
  ctx.lineWidth = 1.5 * devicePixelRatio;
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.restore();
}

function indexAt(x: readonly number[], at: number | undefined): number | null {
  if (at === undefined || x.length === 0) return null;
  return Math.max(
    0,
    x.findLastIndex((each) => each <= at),
  );
}

/** The last value up to a place: evaluations are not at every update. */
function valueAt(values: readonly (number | null)[], at: number | null): number | null | undefined {
  if (at === null) return undefined;
  for (let index = Math.min(at, values.length - 1); index >= 0; index -= 1)
    if (values[index] !== null) return values[index];
  return undefined;
}

function summaryOf({ title, x, series }: ChartProps, say: (value: number | null | undefined) => string): string {
  const parts = series.map(({ label, values }) => {
    const first = values.findIndex((value) => value !== null);
    const last = values.findLastIndex((value) => value !== null);
    if (first < 0) return `${label}: no values`;
    return `${label}: ${say(values[first])} at update ${x[first]}, ${say(values[last])} at update ${x[last]}`;
  });
  return `${title}. ${parts.join('; ')}.`;
}

/** Changes with the colors of the page. */
function useTheme(): boolean {
  const [isDark, setDark] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches);
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)');
    const onChange = () => setDark(query.matches);
    query.addEventListener('change', onChange);
    return () => query.removeEventListener('change', onChange);
  }, []);
  return isDark;
}
