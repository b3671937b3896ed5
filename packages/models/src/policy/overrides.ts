/** Tensors that take the places of parameters for the time of one computation. */
import { keep, type Parameter, type Tensor, tidy } from '@vlgym/gpu';

export type Overrides = Map<Parameter, Tensor>;

/** A detached copy that outlives every `tidy`. */
export function copy(tensor: Tensor): Tensor {
  return tidy(() => keep(tensor.detach().clone()));
}

export function copies(parameters: Iterable<Parameter>, source: (parameter: Parameter) => Tensor): Overrides {
  return new Map(Array.from(parameters, (parameter) => [parameter, copy(source(parameter))]));
}

/** Exchanges the handles of every parameter and its tensor; the second call undoes the first. */
export function exchange(overrides: Overrides | null): void {
  for (const [parameter, tensor] of overrides ?? []) {
    const { handle } = parameter;
    parameter.handle = tensor.handle;
    tensor.handle = handle;
  }
}

export function disposeOverrides(overrides: Overrides | null): void {
  for (const tensor of overrides?.values() ?? []) tensor.dispose();
}
