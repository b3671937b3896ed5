/** Positions, vision encoder, hidden states and logits of one forward. */
import { noGrad, type Tensor, tidy } from '@vlgym/gpu';
import type { BatchBuilder } from '../../src/batch/batch-builder.js';
import { ImageProcessor } from '../../src/batch/image-processor.js';
import type { TokenRow } from '../../src/batch/token-rows.js';
import { finished } from '../../src/layers/steps.js';
import { windowsOf } from '../../src/models/qwen2-5-vl/windows.js';
import { resampling } from '../../src/models/qwen3-vl/resampling.js';
import { QwenModel } from '../../src/models/shared/model.js';
import { layoutPositions } from '../../src/models/shared/positions.js';
import { patchPositions, pictureBorders } from '../../src/models/shared/vision-geometry.js';
import type { PromptEncoder } from '../../src/policy/prompt-encoder.js';
import type { Arrays, Fixture, GoldenModel } from './fixture.js';
import { compareChecks } from './images.js';
import type { Precision } from './precision.js';
import type { Report } from './report.js';

interface Forwards {
  readonly precision: Precision;
  readonly model: GoldenModel;
  readonly builder: BatchBuilder;
  readonly encoder: PromptEncoder;
}

/** Between float64 runs of two implementations. */
const FLOAT64_TOLERANCE = 1e-9;

export function compareForward(fixture: Fixture, forwards: Forwards, report: Report): void {
  const { precision } = forwards;
  const arrays = fixture.arrays('forward');
  for (const [name, { prompts, logits_checks: checks, logits_float64_checks: wideChecks }] of Object.entries(
    fixture.cases.forward,
  )) {
    const rows = prompts.map((prompt) => forwards.encoder.encode(fixture.messages(prompt)));
    const padding = paddingOf(rows);
    if (forwards.model instanceof QwenModel) {
      comparePositions(name, rows, forwards.model, arrays, report);
      compareGeometry(name, rows, forwards.model, arrays, report);
    }
    noGrad(() =>
      tidy(() => {
        const seen = new Map<string, Tensor>();
        const logits = fullForward(rows, forwards, (key, tensor) => seen.set(key, tensor));
        for (const key of arrays.names(`${name}/`)) {
          const found = seen.get(key.slice(name.length + 1));
          if (!found) continue;
          const { data, shape } = arrays.get(key);
          const isHidden = key.includes('/hidden/');
          report.equal(`${key} shape`, found.shape, shape);
          const numbers = isHidden ? withoutPadding(found, padding) : found.toNumbers();
          precision.compare('states', report, key, numbers, data, arrays.tolerance(key));
        }
        compareLogits(name, logits, precision, arrays, report);
        // rows at padding are not part of the contract; the rounding of half precision adds up in sums
        if (padding.every((count) => count === 0) && !precision.isHalf) {
          const wanted = precision.isDouble ? wideChecks : checks;
          const tolerance = precision.widened(precision.isDouble ? FLOAT64_TOLERANCE : 2e-5);
          if (wanted) compareChecks(`${name} all logits`, logits.toNumbers(), wanted, tolerance, report);
        }
      }),
    );
  }
}

/** Logits [B, T, V] of rows without responses, padded on the left. */
export function fullForward(
  rows: readonly TokenRow[],
  { model, builder }: Pick<Forwards, 'model' | 'builder'>,
  observe?: (name: string, tensor: Tensor) => void,
): Tensor {
  const batch = builder.tokens(rows, 0);
  const states = model.forward(finished(model.embed(batch.ids, batch.images as never, observe)), {
    positions: model.positions(batch, batch.promptLength),
    mask: builder.causalMask(batch, batch.promptLength),
    observe,
  });
  return model.logits(states);
}

function paddingOf(rows: readonly TokenRow[]): number[] {
  const longest = Math.max(...rows.map(({ promptIds }) => promptIds.length));
  return rows.map(({ promptIds }) => longest - promptIds.length);
}

/** Numbers of [B, T, …] with zeros at padding. */
function withoutPadding(tensor: Tensor, padding: readonly number[]): number[] {
  const data = tensor.toNumbers();
  const perRow = data.length / padding.length;
  const perToken = perRow / tensor.size(1);
  for (const [row, count] of padding.entries()) data.fill(0, row * perRow, row * perRow + count * perToken);
  return data;
}

function comparePositions(
  name: string,
  rows: readonly TokenRow[],
  model: QwenModel,
  arrays: Arrays,
  report: Report,
): void {
  const promptLengths = rows.map(({ promptIds }) => promptIds.length);
  const promptLength = Math.max(...promptLengths);
  const axes = layoutPositions({ rows, promptLength, promptLengths }, promptLength, (row) => model.rowPositions(row));
  const compare = (key: string, found: ArrayLike<number>) => {
    if (arrays.has(`${name}/${key}`)) report.equal(`${name}/${key}`, found, arrays.get(`${name}/${key}`).data);
  };
  compare(
    'position_ids',
    axes.flatMap((axis) => Array.from(axis)),
  );
  compare(
    'rope_deltas',
    rows.map((row) => model.rowPositions(row).next - row.promptIds.length),
  );
  const padding = paddingOf(rows);
  compare(
    'attention_mask',
    rows.flatMap((_, i) => [...new Array(padding[i]).fill(0), ...new Array(promptLengths[i]).fill(1)]),
  );
}

function compareGeometry(
  name: string,
  rows: readonly TokenRow[],
  { config }: QwenModel,
  arrays: Arrays,
  report: Report,
): void {
  const processor = new ImageProcessor(config);
  const grids = rows.flatMap(({ images }) => images.map((image) => processor.grid(image)));
  const compare = (key: string, found: () => ArrayLike<number>, tolerance = 0) => {
    const path = `${name}/${key}`;
    if (!arrays.has(path)) return;
    if (tolerance === 0) report.equal(path, Array.from(found()), arrays.get(path).data);
    else report.close(path, found(), arrays.get(path).data, tolerance);
  };
  compare('image_grid_thw', () => grids.flatMap(({ rows: height, columns }) => [1, height, columns]));
  compare('vision/position_ids', () => patchPositions(grids, processor));
  compare('vision/cu_seqlens', () => pictureBorders(grids));
  const vision: Record<string, unknown> = config.vision;
  if (typeof vision.windowSize === 'number') {
    const { spatialMergeSize: merge, patchSize } = config.vision;
    const windows = windowsOf(grids, merge, Math.floor(vision.windowSize / merge / patchSize));
    compare('vision/window_index', () => windows.order);
    compare('vision/cu_window_seqlens', () => windows.borders);
  }
  if (typeof vision.numPositionEmbeddings === 'number') {
    const side = Math.sqrt(vision.numPositionEmbeddings);
    const parts = grids.map((grid) => resampling(processor.positions(grid), grid, side));
    compare('vision/pos_embed_indices', () => parts.flatMap(({ indices }) => Array.from(indices)));
    compare('vision/pos_embed_weights', () => parts.flatMap(({ weights }) => Array.from(weights)), 1e-6);
  }
}

function compareLogits(name: string, logits: Tensor, precision: Precision, arrays: Arrays, report: Report): void {
  for (const key of ['logits', 'logits_last', 'logits_last_float64'].map((kind) => `${name}/${kind}`)) {
    if (!arrays.has(key)) continue;
    const isWide = key.endsWith('float64');
    if (isWide && !precision.isDouble) continue;
    const { data, shape } = arrays.get(key);
    const columns = shape[1]!;
    const found = logits.narrow(1, logits.size(1) - columns, columns).toNumbers();
    precision.compare('states', report, key, found, data, isWide ? FLOAT64_TOLERANCE : arrays.tolerance(key));
  }
}
