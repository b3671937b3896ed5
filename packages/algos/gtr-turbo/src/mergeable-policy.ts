/** The policy interface for merging, in addition to the one that every algorithm uses. */
import { GymError } from '@vlgym/core';
import type { Policy, Tensor, WeightMap } from '@vlgym/rl';

/** Task vectors θ_i − θ_0, the weights that they are merged into, and files that they wait in. */
export interface MergeablePolicy extends Policy {
  /** A copy of what is trained (LoRA factors or whole matrices, without the value head), for the checkpoint buffer. */
  adapterState(): WeightMap;
  /** Dense float32 task vector θ_i − θ_0 of one matrix, e.g. (α/r)·B·A. */
  delta(state: WeightMap, name: string): Tensor;
  /** Teacher := θ_0 + τ, matrix by matrix; consumes the tensors. Matrices that are not named are those of θ_0. */
  setTeacher(deltas: Iterable<readonly [name: string, delta: Tensor]>): void;
  /** Named tensors as one safetensors file. */
  saveWeights(path: string, weights: WeightMap): Promise<void>;
  /** Each tensor is read when it is asked for, and then belongs to the surrounding `tidy`. */
  loadWeights(path: string): Promise<WeightMap>;
}

const METHODS = ['adapterState', 'delta', 'setTeacher', 'saveWeights', 'loadWeights'] as const;

/** The policy cannot merge its checkpoints. */
export class PolicyNotMergeableError extends GymError {
  constructor(policy: string, missing: readonly string[]) {
    super(`The policy ${policy} cannot merge its checkpoints.`, {
      code: 'POLICY_NOT_MERGEABLE',
      value: missing,
      expected: `a policy with ${METHODS.join(', ')}`,
      hint: 'train a policy of `createPolicy`, or implement `MergeablePolicy`',
    });
  }
}

/** @throws {PolicyNotMergeableError} */
export function mergeable(policy: Policy): MergeablePolicy {
  const missing = METHODS.filter((name) => typeof (policy as Partial<MergeablePolicy>)[name] !== 'function');
  if (missing.length > 0) throw new PolicyNotMergeableError(policy.name, missing);
  return policy as MergeablePolicy;
}
