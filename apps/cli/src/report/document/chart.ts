/**
 * Line charts with bands as static SVG. Points are joined by straight lines: a curve would show values that nobody has
 * measured. On a wide page every series is labeled where it ends, on a phone below the chart.
 */
import { extent, max, min } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { area, line } from 'd3-shape';
import { html, type Markup } from './html.js';

export interface Series {
  readonly label: string;
  /** CSS class that carries the color. */
  readonly className: string;
  readonly points: readonly { readonly x: number; readonly y: number; readonly low?: number; readonly high?: number }[];
  /** Drawn thin and without a label: one of several seeds. */
  readonly faint?: boolean;
}

export interface ChartOptions {
  readonly width: number;
  readonly height: number;
  readonly xLabel: string;
  readonly yDomain?: readonly [number, number];
  readonly yFormat: (value: number) => string;
  readonly labels?: boolean;
  readonly yTicks?: number;
  readonly xTicks?: number;
  readonly title: string;
}

/** Width of a chart on a phone, in pixels. */
const NARROW = 320;

/** Mean width of a bold character in a label, in pixels: static SVG cannot measure text. */
const GLYPH_WIDTH = 8;

/** Moves labels so that none overlap; keeps their order. */
function spread(positions: readonly number[], gap: number, low: number, high: number): number[] {
  const order = positions.map((y, index) => ({ y, index })).sort((a, b) => a.y - b.y);
  for (let i = 1; i < order.length; i += 1) order[i]!.y = Math.max(order[i]!.y, order[i - 1]!.y + gap);
  const overflow = (order.at(-1)?.y ?? 0) - high;
  if (overflow > 0) {
    order.at(-1)!.y -= overflow;
    for (let i = order.length - 2; i >= 0; i -= 1) order[i]!.y = Math.min(order[i]!.y, order[i + 1]!.y - gap);
  }
  if (order[0] && order[0].y < low) order[0].y = low;
  const result: number[] = [];
  for (const { y, index } of order) result[index] = y;
  return result;
}

/** The chart twice: a wide page shows one, a phone the other, each in letters that can be read. */
export function responsiveChart(series: readonly Series[], options: Omit<ChartOptions, 'labels'>): Markup {
  const labeled = series.filter(({ faint, points }) => !faint && points.length > 0);
  return html`<div class="wide">${lineChart(series, options)}</div>
<div class="narrow">${lineChart(series, { ...options, width: NARROW, height: 240, labels: false, xTicks: 3 })}
<ul class="legend">${labeled.map(({ label, className, points }) => html`<li class="${className}">${label} ${options.yFormat(points.at(-1)!.y)}</li>`)}</ul></div>`;
}

export function lineChart(series: readonly Series[], options: ChartOptions): Markup {
  const { width, height, xLabel, yFormat, title, labels = true, yTicks = 5, xTicks = 6 } = options;
  const texts = labels
    ? series.map(({ label, points, faint }) => (faint ? '' : `${label} ${yFormat(points.at(-1)?.y ?? 0)}`))
    : [];
  const right = labels ? 24 + GLYPH_WIDTH * Math.max(...texts.map((text) => text.length)) : 24;
  const margin = { top: 12, right, bottom: 44, left: 52 };
  const points = series.flatMap((each) => each.points);
  const [x0 = 0, x1 = 1] = extent(points, (point) => point.x);
  const low = min(points, (point) => point.low ?? point.y) ?? 0;
  const high = max(points, (point) => point.high ?? point.y) ?? 1;
  const x = scaleLinear([x0, x1 === x0 ? x0 + 1 : x1], [margin.left, width - margin.right]);
  const y = scaleLinear(options.yDomain ?? [low, high === low ? low + 1 : high], [height - margin.bottom, margin.top]);
  if (!options.yDomain) y.nice(yTicks);

  const path = line<Series['points'][number]>(
    (point) => x(point.x),
    (point) => y(point.y),
  );
  const band = area<Series['points'][number]>(
    (point) => x(point.x),
    (point) => y(point.low ?? point.y),
    (point) => y(point.high ?? point.y),
  );
  const labeled = series.filter((each) => !each.faint && each.points.length > 0);
  const ends = spread(
    labeled.map((each) => y(each.points.at(-1)!.y)),
    16,
    margin.top + 4,
    height - margin.bottom,
  );

  return html`<svg class="chart" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">
    ${y.ticks(yTicks).map((tick) => html`<line class="grid" x1="${margin.left}" x2="${width - margin.right}" y1="${y(tick)}" y2="${y(tick)}"/><text class="tick" x="${margin.left - 8}" y="${y(tick)}" dy="0.32em" text-anchor="end">${yFormat(tick)}</text>`)}
    ${x
      .ticks(xTicks)
      .filter(Number.isInteger)
      .map(
        (tick) =>
          html`<text class="tick" x="${x(tick)}" y="${height - margin.bottom + 18}" text-anchor="middle">${tick.toLocaleString('en')}</text>`,
      )}
    <text class="axis" x="${width - margin.right}" y="${height - 4}" text-anchor="end">${xLabel}</text>
    ${series.map((each) => each.points.some((point) => point.low !== undefined) && html`<path class="band ${each.className}" d="${band(each.points as Series['points'][number][]) ?? ''}"/>`)}
    ${series.map((each) => html`<path class="line ${each.className}${each.faint ? ' faint' : ''}" d="${path(each.points as Series['points'][number][]) ?? ''}"/>`)}
    ${
      labels &&
      labeled.map((each, index) => {
        const last = each.points.at(-1)!;
        return html`<circle class="dot ${each.className}" cx="${x(last.x)}" cy="${y(last.y)}" r="3.5"/><text class="label ${each.className}" x="${width - margin.right + 10}" y="${ends[index]!}" dy="0.32em">${each.label} ${yFormat(last.y)}</text>`;
      })
    }
  </svg>`;
}
