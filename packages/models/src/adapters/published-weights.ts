/**
 * A model's parameters under the names and shapes of published checkpoints.
 *
 * A `Projection` holds several published matrices as rows of one parameter; here every matrix has its own name.
 */
import { type Module, Parameter, type Tensor } from '@vlgym/gpu';
import { Projection } from '../layers/projection.js';
import { LoraAdapter } from './lora.js';

/** One published tensor: the rows of a parameter from `start`. */
export class PublishedWeight {
  constructor(
    readonly name: string,
    readonly parameter: Parameter,
    readonly start: number,
    readonly rows: number,
  ) {}

  /** The rows of this weight in any tensor of the parameter's shape; a view. */
  in(tensor: Tensor): Tensor {
    return this.rows === tensor.shape[0] ? tensor : tensor.narrow(0, this.start, this.rows);
  }

  get shape(): readonly number[] {
    return [this.rows, ...this.parameter.shape.slice(1)];
  }
}

/** The linear layers of the decoder, as in the published adapters of the Qwen family. */
export const DECODER_LINEARS = /^model\.layers\.\d+\.(self_attn\.[qkvo]_proj|mlp\.(gate|up|down)_proj)$/;

/** Published weights below `module`, which is called `prefix`; adapters left out, in the order of their properties. */
export function publishedWeights(module: Module, prefix = ''): PublishedWeight[] {
  return [...module.namedModules(prefix)].flatMap(([path, child]) => {
    if (child instanceof LoraAdapter) return [];
    if (child instanceof Projection) return projectionWeights(path, child);
    return Object.entries(child).flatMap(([name, value]) =>
      value instanceof Parameter ? [new PublishedWeight(join(path, name), value, 0, value.shape[0] ?? 1)] : [],
    );
  });
}

export function projectionWeights(path: string, { weight, bias, parts }: Projection): PublishedWeight[] {
  let start = 0;
  return parts.flatMap(({ name, rows }) => {
    const prefix = partPath(path, name);
    const weights = [new PublishedWeight(`${prefix}.weight`, weight, start, rows)];
    if (bias) weights.push(new PublishedWeight(`${prefix}.bias`, bias, start, rows));
    start += rows;
    return weights;
  });
}

function partPath(path: string, part: string): string {
  return part === '' ? path : join(path.split('.').slice(0, -1).join('.'), part);
}

function join(prefix: string, name: string): string {
  return prefix ? `${prefix}.${name}` : name;
}
