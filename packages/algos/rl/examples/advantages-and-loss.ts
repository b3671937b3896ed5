import { Parameter, tensor, tidy } from '@vlgym/gpu';
import { normalize, ppoTokenLoss, ratioStatistics, stepGae } from '@vlgym/rl';

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
const batch = {
  oldLogProbs: [-0.7, -0.1, -1.2, -0.3, -0.4, -0.2],
  advantages: normalize(advantages),
  mask: [1, 1, 1, 1, 1, 1],
};
const options = { clipLow: 0.2, clipHigh: 0.28, aggregation: 'seq_mean_token_mean' } as const;
const logProbs = new Parameter(tensor([-0.6, -0.1, -1.4, -0.3, -0.1, -0.2], { shape: [3, 2] }));
tidy(() => {
  const { loss } = ppoTokenLoss(logProbs, batch, options);
  console.log('loss', loss.item().toFixed(4));
});
const perToken = Array.from(batch.oldLogProbs, (_, token) => batch.advantages[Math.floor(token / 2)]!);
console.log(ratioStatistics(logProbs.toArray() as Float32Array, batch.oldLogProbs, perToken, batch.mask, options));
