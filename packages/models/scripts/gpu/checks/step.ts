/**
 * Seconds per environment step of VL-DAC with LoRA, on pictures, from the first token to the last optimizer step:
 *
 *     npx tsx packages/models/scripts/gpu/checks/step.ts --folder QWEN2.5-VL-7B --minutes 3
 *     npx tsx packages/models/scripts/gpu/checks/step.ts --folder TOY --device cpu --dtype float32 --environments 2 --steps 4 --tokens 4
 *
 * Settings are those of the published code: LoRA of rank 16 on the decoder, two epochs, 16 steps per optimizer step, KL to
 * the reference. The published run took 1.44 s per step on an H100 (50,000 steps in 20 hours). A buffer is `--steps` long
 * and not 256: every part of the time grows with it alike. Weights may be random: among 152,000 tokens an end comes so
 * seldom that responses have `--tokens` tokens; `tokensPerResponse` says what they had. One environment step is a picture of
 * noise. Settings are tried one after the other until the time is over; one that needs too much memory is reported.
 */
import { parseArgs } from 'node:util';
import { Generator } from '@vlgym/core';
import { libtorchVersion, memoryUse } from '@vlgym/gpu';
import { type CreatePolicyOptions, createPolicy } from '@vlgym/models';
import { MetricsTally } from '@vlgym/rl';
import { Collector } from '@vlgym/rl/rollout';
import { vlDac } from '@vlgym/vl-dac';
import { leastSeconds, type Machine, measureMachine, shapeOf } from '../limits.js';
import { NoiseEnv } from '../noise-env.js';
import { type Phase, Phases } from '../phases.js';
import { failing, finish, rounded } from '../result.js';

const { values: flags } = parseArgs({
  options: {
    folder: { type: 'string', default: 'qwen2.5-vl-7b' },
    device: { type: 'string', default: 'cuda' },
    dtype: { type: 'string', default: 'bfloat16' },
    environments: { type: 'string', default: '16' },
    steps: { type: 'string', default: '64' },
    tokens: { type: 'string', default: '64' },
    rank: { type: 'string', default: '16' },
    /** Pictures of a prompt; the published code has up to 4, of 80 x 60. */
    pictures: { type: 'string', default: '1' },
    width: { type: 'string', default: '640' },
    height: { type: 'string', default: '480' },
    minutes: { type: 'string', default: '3' },
    /** Settings to try, in order: tokens of a forward with gradients; `c` means that activations are checkpointed. */
    settings: { type: 'string', default: '4096,8192,16384c' },
  },
});

/** The matrices of the decoder's layers; the vision encoder stays as it is. */
const DECODER = /\.layers\.\d+\.(self_attn\.[qkvo]_proj|mlp\.(gate|up|down)_proj)$/;
/** Pictures of a buffer, each encoded once. */
const PICTURE_CACHE = 2 ** 34;
const started = performance.now();
const seconds = () => (performance.now() - started) / 1000;
const found: { machine?: Machine; runs: Record<string, unknown>[] } = { runs: [] };
const numberOf = (name: 'environments' | 'steps' | 'tokens' | 'rank' | 'pictures' | 'width' | 'height') =>
  Number(flags[name]);

async function main(): Promise<void> {
  const { device } = flags;
  const dtype = flags.dtype as NonNullable<CreatePolicyOptions['dtype']>;
  found.machine = measureMachine(device, dtype);
  const settings = flags.settings
    .split(',')
    .map((text) => ({ tokens: Number.parseInt(text, 10), checkpointed: text.endsWith('c') }));
  for (const checkpointed of [false, true]) {
    const wanted = settings.filter((setting) => setting.checkpointed === checkpointed);
    if (wanted.length === 0 || isOver()) continue;
    const loading = seconds();
    const policy = await createPolicy({
      ...{ model: flags.folder, device, dtype, checkpointActivations: checkpointed, imageCacheBytes: PICTURE_CACHE },
      train: { lora: { r: numberOf('rank'), alpha: 2 * numberOf('rank'), targets: DECODER } },
      ...(device !== 'cpu' && { batchTokens: 16_384 }),
    });
    try {
      const phases = new Phases(policy, device);
      console.log(JSON.stringify({ loaded: rounded(seconds() - loading), checkpointed }));
      let warm = false;
      for (const { tokens } of wanted) {
        if (isOver()) break;
        try {
          if (!warm) await update(policy, tokens, numberOf('environments'));
          warm = true;
          phases.reset();
          const start = seconds();
          await update(policy, tokens, numberOf('steps'));
          found.runs.push({ checkpointed, microBatchTokens: tokens, ...report(policy, phases, seconds() - start) });
        } catch (error) {
          found.runs.push({ checkpointed, microBatchTokens: tokens, error: (error as Error).message.slice(0, 300) });
        }
        console.log(JSON.stringify(found.runs.at(-1)));
      }
    } finally {
      policy.close();
    }
  }
  const timed = found.runs.filter((run) => typeof run.secondsPerStep === 'number');
  const best = timed.toSorted((a, b) => (a.secondsPerStep as number) - (b.secondsPerStep as number))[0];
  const ok = best !== undefined;
  await finish('step', {
    ok,
    settings: flags,
    libtorch: libtorchVersion(),
    published: 1.44,
    ...found,
    best,
    seconds: rounded(seconds()),
  });
  if (!ok) process.exitCode = 1;
}

/** The next setting takes about as long as the last one. */
const isOver = () => seconds() > 60 * Number(flags.minutes) * (found.runs.length === 0 ? 1 : 0.7);

type Policy = Awaited<ReturnType<typeof createPolicy>>;

/** One whole update; the critic is not trained alone first, as that would leave the policy out. */
async function update(policy: Policy, microBatchTokens: number, steps: number): Promise<void> {
  const algorithm = vlDac({
    rollout: { maxNewTokens: numberOf('tokens') },
    value: { warmupUpdates: 0 },
    optimizer: { epochs: 2, batch: 16, microBatch: 64, microBatchTokens, learningRate: { initial: 1e-6, final: 1e-8 } },
  });
  const count = Math.min(numberOf('environments'), steps);
  const size = { width: numberOf('width'), height: numberOf('height'), pictures: numberOf('pictures') };
  const environments = Array.from(
    { length: count },
    (_, seed) => new NoiseEnv({ ...size, seed: seed + 1000 * steps + microBatchTokens }),
  );
  const { config } = algorithm;
  await algorithm.update({
    ...{
      policy,
      config,
      updateIndex: 0,
      stepsPerUpdate: steps,
      rng: new Generator(0),
      state: undefined,
      signal: undefined,
    },
    collector: new Collector({ policy, environments, config, rng: new Generator(1) }),
    metrics: new MetricsTally(),
  });
}

function report(policy: Policy, { seconds: spent, work }: Phases, total: number) {
  const steps = numberOf('steps');
  const tokensPerPicture = work.prefill.tokens > 0 ? picturePatches(policy) : 0;
  const shape = shapeOf(policy, tokensPerPicture, flags.dtype === 'float32' ? 4 : flags.dtype === 'float64' ? 8 : 2);
  const least = leastSeconds(work, shape, found.machine!);
  const names = Object.keys(spent) as Phase[];
  const inside = names.reduce((sum, name) => sum + spent[name], 0);
  const phases = Object.fromEntries(
    names.map((name) => [
      name,
      {
        secondsPerStep: rounded(spent[name] / steps),
        share: rounded(spent[name] / total),
        shareOfLimit: spent[name] > 0 ? rounded(least[name] / spent[name]) : 0,
      },
    ]),
  );
  const limit = names.reduce((sum, name) => sum + least[name], 0);
  return {
    secondsPerStep: rounded(total / steps),
    shareOfLimit: rounded(limit / total),
    phases: {
      ...phases,
      host: { secondsPerStep: rounded((total - inside) / steps), share: rounded((total - inside) / total) },
    },
    tokensPerResponse: rounded(work.sampledTokens / steps),
    tokensPerPrompt: rounded(work.prefill.tokens / Math.max(1, work.prefill.responses)),
    ...{ pictures: work.pictures, parameters: shape },
    peakBytes: memoryUse(flags.device).peak,
  };
}

/** Patches of one picture: four for each of its tokens. */
function picturePatches(policy: Policy): number {
  const image = {
    data: new Uint8Array(numberOf('width') * numberOf('height') * 3),
    width: numberOf('width'),
    height: numberOf('height'),
    channels: 3 as const,
  };
  const length = (content: Parameters<Policy['encode']>[0][number]['content']) =>
    policy.encode([{ role: 'user', content }]).promptIds.length;
  return 4 * (length([{ type: 'image', image }]) - length([]) - 2);
}

await main().catch(failing('step', () => ({ ...found })));
