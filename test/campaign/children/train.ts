/** `train.js <folder> <updates>`: a training run with a stub policy that resumes; says `update n` after each, then `done`. */
import { type Algorithm, algorithmConfig, train } from '@vlgym/rl';
import { StubPolicy } from '../support/stub-policy.js';
import { WalkEnv } from '../support/walk-env.js';

const [folder, updates] = process.argv.slice(2) as [string, string];

const algorithm: Algorithm = {
  name: 'stub',
  config: algorithmConfig({ merge: { capacity: 2 } }),
  async update({ policy, collector, stepsPerEnvironment, rng, checkpoints, dagger, metrics, signal }) {
    const buffer = await collector.collect(stepsPerEnvironment, { metrics, signal });
    (policy as StubPolicy).learn(buffer);
    checkpoints.append();
    for (const { input, responseIds } of buffer.steps.slice(0, rng.integers(1, 4))) {
      dagger.add({ input, responseIds, labelMask: new Uint8Array(responseIds.length).fill(1) });
    }
    dagger.shuffle(rng);
    const drawn = dagger.draw(3, rng).map(({ responseIds }) => responseIds[0]!);
    metrics.setAll({ 'stub/drawn': drawn.reduce((sum, id) => 3 * sum + id, 0), 'stub/adapters': checkpoints.size });
    return buffer;
  },
};

await train({
  policy: new StubPolicy(),
  algorithm,
  makeEnv: () => new WalkEnv(),
  updates: Number(updates),
  stepsPerUpdate: 12,
  numEnvs: 3,
  seed: 5,
  folder,
  resume: true,
  evaluation: { seeds: [1, 2], every: 2 },
  onMetrics: ({ update }) => process.stdout.write(`update ${update}\n`),
});
process.stdout.write('done\n');
