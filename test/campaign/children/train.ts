/** `train.js <folder> <updates>`: a training run with a stub policy that resumes; says `update n` after each, then `done`. */
import { Teacher } from '@vlgym/gtr-turbo';
import { defineAlgorithm, train } from '@vlgym/rl';
import { commonOptions, tokenLossOptions } from '@vlgym/rl/config';
import { z } from 'zod';
import { StubPolicy } from '../support/stub-policy.js';
import { WalkEnv } from '../support/walk-env.js';

const [folder, updates] = process.argv.slice(2) as [string, string];

/** Keeps adapters and labels between updates, as GTR-Turbo does. */
const stub = defineAlgorithm({
  name: 'stub',
  title: 'Stub',
  options: z.strictObject({ ...commonOptions, loss: tokenLossOptions }),
  open: ({ policy }) => new Teacher(policy, 2),
  async update(run) {
    const { policy, collector, rng, state, metrics } = run;
    const { checkpoints, dagger } = state;
    const buffer = await collector.collectSteps(run);
    (policy as StubPolicy).learn(buffer);
    await checkpoints.append();
    for (const { input, responseIds } of buffer.steps.slice(0, rng.integers(1, 4))) {
      dagger.add({ input, responseIds, labelMask: new Uint8Array(responseIds.length).fill(1) });
    }
    dagger.shuffle(rng);
    const drawn = dagger.draw(3, rng).map(({ responseIds }) => responseIds[0]!);
    metrics.setAll({ 'stub/drawn': drawn.reduce((sum, id) => 3 * sum + id, 0), 'stub/adapters': checkpoints.size });
    return buffer;
  },
});

await train({
  policy: new StubPolicy(),
  algorithm: stub(),
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
