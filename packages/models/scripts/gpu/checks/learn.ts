/**
 * SmolLM2 learns generated households of ALFWorld in the time there is: imitation of the expert, then VL-DAC; success on
 * unseen households before, between and after.
 *
 *     npx tsx packages/models/scripts/gpu/checks/learn.ts --write examples.jsonl.gz --count 3000
 *     npx tsx packages/models/scripts/gpu/checks/learn.ts --folder SMOLLM2 --examples examples.jsonl.gz --minutes 4
 *
 * The folder is what `smollm2.py` makes. The bundle needs no other file; without `--examples` it draws them first.
 */
import { parseArgs } from 'node:util';
import '@vlgym/alfworld';
import { libtorchVersion } from '@vlgym/gpu';
import { type CreatePolicyOptions, createPolicy } from '@vlgym/models';
import { drawExamples, readExamples, writeExamples } from '../household-examples.js';
import { imitate, reinforce, unseenSuccess } from '../learning.js';
import { failing, finish, rounded } from '../result.js';

const { values: flags } = parseArgs({
  options: {
    folder: { type: 'string', default: 'smollm2' },
    device: { type: 'string', default: 'cuda' },
    dtype: { type: 'string', default: 'bfloat16' },
    minutes: { type: 'string', default: '4' },
    examples: { type: 'string' },
    /** Examples to draw without a file. */
    count: { type: 'string', default: '1500' },
    /** Only draw examples, into this file. */
    write: { type: 'string' },
    rank: { type: 'string', default: '64' },
    /** Unseen households. */
    evaluate: { type: 'string', default: '100' },
    /** Unseen households before anything is learned; default as many as later. */
    before: { type: 'string' },
    /** Share of the time after the first evaluation that belongs to imitation. */
    imitation: { type: 'string', default: '0.45' },
    batch: { type: 'string', default: '16' },
    tokens: { type: 'string', default: '16384' },
    'imitation-rate': { type: 'string', default: '0.001' },
    'reinforcement-rate': { type: 'string', default: '0.00005' },
    environments: { type: 'string', default: '64' },
    steps: { type: 'string', default: '512' },
    'max-new-tokens': { type: 'string', default: '48' },
    /** Longest episode. */
    'max-steps': { type: 'string', default: '50' },
  },
});

/** Bytes of conversations that the next turn does not read again. */
const PROMPT_CACHE = 2 ** 34;
/** A vocabulary of 49,152: whole distributions of a micro-batch's labels fit a GPU. */
const DENSE = 65_536;

const found: Record<string, unknown> = {};

async function main(): Promise<void> {
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  const limit = 60 * Number(flags.minutes);
  const isCpu = flags.device === 'cpu';
  const policy = await createPolicy({
    model: flags.folder,
    device: flags.device,
    dtype: flags.dtype as NonNullable<CreatePolicyOptions['dtype']>,
    train: { lora: { r: Number(flags.rank), alpha: 2 * Number(flags.rank) } },
    promptCacheBytes: isCpu ? 2 ** 30 : PROMPT_CACHE,
    ...(!isCpu && { denseVocabulary: DENSE, batchTokens: 2 * Number(flags.tokens) }),
  });
  try {
    const settings = { ...flags, libtorch: libtorchVersion() };
    Object.assign(found, { settings, secondsToLoad: rounded(seconds()) });
    const examples = await (flags.examples === undefined
      ? drawExamples(Number(flags.count))
      : readExamples(flags.examples));
    const episodes = Number(flags.evaluate);
    const play = { maxNewTokens: Number(flags['max-new-tokens']), maxSteps: Number(flags['max-steps']) };
    const before = await unseenSuccess(policy, Number(flags.before ?? episodes), play);
    Object.assign(found, { drawn: examples.length, before });
    console.log(JSON.stringify(found));

    // two evaluations come later, and none takes longer than the first, whose model never wins
    const rest = limit - seconds() - 2 * before.seconds;
    const share = Number(flags.imitation);
    found.imitation = await imitate(policy, examples, {
      seconds: share * rest,
      batch: Number(flags.batch),
      tokens: Number(flags.tokens),
      rate: Number(flags['imitation-rate']),
    });
    console.log(JSON.stringify(found.imitation));
    // the reference of reinforcement, and a fresh optimizer
    policy.foldIntoReference();
    found.afterImitation = await unseenSuccess(policy, episodes, play);
    console.log(JSON.stringify(found.afterImitation));

    found.reinforcement = await reinforce(policy, {
      seconds: limit - seconds() - before.seconds,
      environments: Number(flags.environments),
      steps: Number(flags.steps),
      batch: 32,
      tokens: Number(flags.tokens),
      rate: Number(flags['reinforcement-rate']),
      ...play,
    });
    console.log(JSON.stringify(found.reinforcement));
    found.afterReinforcement = await unseenSuccess(policy, episodes, play);
    await finish('learn', { ok: true, ...found, seconds: rounded(seconds()) });
  } finally {
    policy.close();
  }
}

if (flags.write !== undefined) await writeExamples(flags.write, Number(flags.count));
else await main().catch(failing('learn', () => found));
