/**
 * A model's parameters under the names and shapes of published checkpoints, and low-rank adapters attached by name.
 *
 * Projections hold several published matrices as rows of one parameter; here every matrix is seen by itself. Adapters
 * are named as in peft, without its `base_model.model.` prefix: `….q_proj.lora_A.weight`.
 */
import { GymError } from '@vlgym/core';
import { type Module, Parameter } from '../nn/index.js';
import type { Tensor } from '../tensor/tensor.js';
import { type Beginning, LoraAdapter, type LoraOptions, Projection } from './projection.js';

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

/** Published weights below `module`, adapters left out, in the order of their properties. */
export function publishedWeights(module: Module): PublishedWeight[] {
  return [...module.namedModules()].flatMap(([path, each]) => {
    if (each instanceof LoraAdapter) return [];
    if (each instanceof Projection) return projectionWeights(path, each);
    return Object.entries(each).flatMap(([name, value]) =>
      value instanceof Parameter ? [new PublishedWeight(join(path, name), value, 0, value.shape[0] ?? 1)] : [],
    );
  });
}

function projectionWeights(path: string, { weight, bias, parts }: Projection): PublishedWeight[] {
  let start = 0;
  return parts.flatMap(({ name, rows }) => {
    const prefix = partPath(path, name);
    const weights = [new PublishedWeight(`${prefix}.weight`, weight, start, rows)];
    if (bias) weights.push(new PublishedWeight(`${prefix}.bias`, bias, start, rows));
    start += rows;
    return weights;
  });
}

/** A low-rank adapter and the published matrix it changes. */
export interface AdaptedWeight {
  readonly weight: PublishedWeight;
  readonly adapter: LoraAdapter;
  readonly projection: Projection;
}

/** No matrix of the model has a name that the pattern matches. */
export class NoAdapterTargetError extends GymError {
  constructor(pattern: RegExp, names: readonly string[]) {
    super(`No matrix of the model matches ${String(pattern)}.`, {
      code: 'NO_ADAPTER_TARGET',
      value: String(pattern),
      expected: `names such as ${names.slice(0, 3).join(', ')}`,
      hint: 'leave `targets` out to adapt all matrices of the decoder layers',
    });
  }
}

/** The linear layers of the decoder, as in the published adapters of the Qwen family. */
export const DECODER_LINEARS = /^model\.layers\.\d+\.(self_attn\.[qkvo]_proj|mlp\.(gate|up|down)_proj)$/;

/**
 * Attaches a fresh adapter to every matrix whose published name, without `.weight`, matches `targets`.
 *
 * @throws {NoAdapterTargetError}  None does.
 */
export function attachAdapters(
  model: Module,
  lora: LoraOptions & { readonly targets?: RegExp | undefined },
  begin: Beginning,
): AdaptedWeight[] {
  const targets = lora.targets ?? DECODER_LINEARS;
  const names: string[] = [];
  const adapted: AdaptedWeight[] = [];
  for (const [path, projection] of [...model.namedModules()]) {
    if (!(projection instanceof Projection)) continue;
    const weights = projectionWeights(path, projection).filter(({ name }) => name.endsWith('.weight'));
    const adapters = weights.map((weight) => {
      const name = weight.name.slice(0, -'.weight'.length);
      names.push(name);
      if (!targets.test(name)) return null;
      const adapter = new LoraAdapter(projection.inFeatures, weight.rows, lora, begin);
      adapted.push({ weight, adapter, projection });
      return adapter;
    });
    if (adapters.some(Boolean)) projection.adapters.push(...adapters);
  }
  if (adapted.length === 0) throw new NoAdapterTargetError(targets, names);
  return adapted;
}

/** The factors of an adapter under their published names. */
export function adapterNames({ weight }: AdaptedWeight): { readonly a: string; readonly b: string } {
  const name = weight.name.slice(0, -'.weight'.length);
  return { a: `${name}.lora_A.weight`, b: `${name}.lora_B.weight` };
}

function partPath(path: string, part: string): string {
  return part === '' ? path : join(path.split('.').slice(0, -1).join('.'), part);
}

function join(prefix: string, name: string): string {
  return prefix ? `${prefix}.${name}` : name;
}
