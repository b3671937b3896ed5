import { Parameter, tensor, tidy } from '@vlgym/gpu';
import { normalize, stepGae } from '@vlgym/rl/advantages';
import { aggregationWeights, clipRatio, max, ratioOf } from '@vlgym/rl/losses';

// one episode of three environment steps; the last one ended it
const { advantages, returns } = stepGae(
  {
    rewards: [0, 0, 1],
    values: [0.2, 0.4, 0.7],
    nextValues: [0.4, 0.7, 0],
    terminated: [false, false, true],
    truncated: [false, false, false],
  },
  { gamma: 0.9, lambda: 0.95 },
);
console.log(
  'returns',
  Array.from(returns, (value) => value.toFixed(3)),
);

// each step's response has two tokens; every token carries the advantage of its step
const logProbs = new Parameter(tensor([-0.6, -0.1, -1.4, -0.3, -0.1, -0.2], { shape: [3, 2] }));
const weights = aggregationWeights([1, 1, 1, 1, 1, 1], 3, { aggregation: 'seq_mean_token_mean' });
tidy(() => {
  const old = logProbs.newTensor([-0.7, -0.1, -1.2, -0.3, -0.4, -0.2], [3, 2]);
  const A = logProbs.newTensor(normalize(advantages), [3, 1]);
  const ratio = ratioOf(logProbs, old);
  const clipped = clipRatio(ratio, { clipLow: 0.2, clipHigh: 0.28 });
  const loss = max(ratio.mul(A).neg(), clipped.mul(A).neg());
  console.log(
    'loss',
    loss
      .mul(logProbs.newTensor(weights, [3, 2]))
      .sum()
      .item()
      .toFixed(4),
  );
});
