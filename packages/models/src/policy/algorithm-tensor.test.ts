/** The algorithms of `@vlgym/rl` see tensors through an interface; those of `@vlgym/gpu` must satisfy it as they are. */
import { tensor, tidy } from '@vlgym/gpu';
import type { Tensor as AlgorithmTensor } from '@vlgym/rl';
import { expect, it } from 'vitest';

function surrogate(ratio: AlgorithmTensor, advantage: AlgorithmTensor): AlgorithmTensor {
  return ratio.mul(advantage).minimum(ratio.clamp(0.8, 1.2).mul(advantage)).mean().neg();
}

it('a tensor of @vlgym/gpu computes the loss of an algorithm', () => {
  const loss = tidy(() => surrogate(tensor([2, 0.5]), tensor([1, 1])));
  expect(loss.item()).toBeCloseTo(-0.85, 6);
  loss.dispose();
});

it('the backend of a tensor tidies, keeps, and switches gradients off', () => {
  const weights: AlgorithmTensor = tensor([1], { requiresGrad: true });
  const { tidy: scoped, keep, noGrad } = weights.backend;
  const kept = scoped(() => keep(noGrad(() => weights.mul(2))));
  expect(kept.item()).toBe(2);
  kept.dispose();
  weights.dispose();
});
