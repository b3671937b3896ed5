/**
 * Pictures through a vision encoder as graphs of CUDA, one per size: an environment shows pictures of one size, and the kernels
 * of one picture take longer to start than to compute.
 */
import { CudaGraph, keepAll, type Tensor, TorchError } from '@vlgym/gpu';
import type { Grid } from '../../batch/image-processor.js';

/** Sizes that are recorded at once: each keeps the memory of an encoder at work. */
const MOST_SIZES = 4;

interface Recorded {
  /** [patches, numbers per patch] */
  readonly input: Tensor;
  readonly graph: CudaGraph;
  dispose(): void;
}

export class RecordedPictures<Layout> {
  readonly #layoutOf: (grid: Grid) => Layout;
  readonly #encode: (patches: Tensor, layout: Layout) => Tensor;
  /** The least recently used first; null for a size of which one picture has been seen. */
  readonly #sizes = new Map<string, Recorded | null>();
  #isPossible = true;

  /** @param encode  Patches of one picture → [tokens, features]. */
  constructor(layoutOf: (grid: Grid) => Layout, encode: (patches: Tensor, layout: Layout) => Tensor) {
    this.#layoutOf = layoutOf;
    this.#encode = encode;
  }

  /**
   * [tokens, features], a tensor that the next call overwrites; null if the caller is to encode the picture: the first of
   * its size, and wherever graphs are not in use.
   */
  encode(patches: Tensor, grid: Grid): Tensor | null {
    if (!this.#isPossible || !CudaGraph.isInUse(patches.device)) return null;
    const size = `${grid.rows} ${grid.columns}`;
    const known = this.#sizes.get(size);
    const recorded = known === null ? this.#record(patches, grid) : known;
    this.#sizes.delete(size);
    this.#sizes.set(size, recorded ?? null);
    this.#forget();
    recorded?.input.copy_(patches);
    return recorded?.graph.replay() ?? null;
  }

  dispose(): void {
    for (const recorded of this.#sizes.values()) recorded?.dispose();
    this.#sizes.clear();
  }

  /** Null if the device refuses: pictures are then encoded as before, which is slower and not wrong. */
  #record(patches: Tensor, grid: Grid): Recorded | null {
    try {
      return this.#recorded(patches, grid);
    } catch (error) {
      if (!(error instanceof TorchError)) throw error;
      this.#isPossible = false;
      process.emitWarning(`Pictures are encoded without graphs of CUDA: ${error.message}`, { code: 'GRAPH_REFUSED' });
      return null;
    }
  }

  #recorded(patches: Tensor, grid: Grid): Recorded {
    const { result, dispose } = keepAll(() => {
      const layout = this.#layoutOf(grid);
      const input = patches.clone();
      return { input, graph: new CudaGraph(patches.device, () => this.#encode(input, layout)) };
    });
    const close = () => {
      result.graph.dispose();
      dispose();
    };
    return { ...result, dispose: close };
  }

  #forget(): void {
    for (const [size, recorded] of this.#sizes) {
      if (this.#sizes.size <= MOST_SIZES) return;
      recorded?.dispose();
      this.#sizes.delete(size);
    }
  }
}
