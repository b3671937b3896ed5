/**
 * SmolLM2 learns generated households of ALFWorld: imitation of the expert, then VL-DAC for the rest of the time; success on
 * the same unseen households before, between and after, and pairs of them.
 *
 *     npx tsx packages/models/scripts/gpu/checks/learn.ts --write examples.jsonl.gz --count 6000
 *     npx tsx packages/models/scripts/gpu/checks/learn.ts --folder SMOLLM2 --examples examples.jsonl.gz --minutes 6
 *
 * The folder is what `smollm2.py` makes. The bundle needs no other file; without `--examples` it draws them first.
 */
import { parseArgs } from 'node:util';
import '@vlgym/alfworld';
import { libtorchVersion } from '@vlgym/gpu';
import { type CreatePolicyOptions, createPolicy } from '@vlgym/models';
import { drawExamples, readExamples, writeExamples } from '../household-examples.js';
import { imitate, pairs, reinforce, unseenSuccess } from '../learning.js';
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
    /** Unseen households after each part. */
    evaluate: { type: 'string', default: '200' },
    /** The first of them before anything is learned; 0 for none. The untrained model wins none and takes long. */
    before: { type: 'string', default: '20' },
    /** Seconds of imitation. */
    imitation: { type: 'string', default: '40' },
    batch: { type: 'string', default: '16' },
    /** Tokens of one forward, padding included. */
    tokens: { type: 'string', default: '16384' },
    'imitation-rate': { type: 'string', default: '0.001' },
    'reinforcement-rate': { type: 'string', default: '0.00005' },
    'value-rate': { type: 'string', default: '0.0005' },
    /** Environment steps of one optimizer step. */
    'reinforcement-batch': { type: 'string', default: '64' },
    /** Temperature of sampling and losses in reinforcement; evaluation is greedy. */
    temperature: { type: 'string', default: '0.7' },
    /** Taken off the reward at each impossible command. */
    illegal: { type: 'string', default: '0.05' },
    environments: { type: 'string', default: '32' },
    /** Environment steps of one update. */
    steps: { type: 'string', default: '512' },
    'max-new-tokens': { type: 'string', default: '48' },
    /** Longest episode, in evaluation as well. */
    'max-steps': { type: 'string', default: '30' },
  },
});

/** Bytes of conversations that the next turn does not read again. */
const PROMPT_CACHE = 2 ** 34;
/** A vocabulary of 49,152: whole distributions of a micro-batch's labels fit a GPU. */
const DENSE = 65_536;

/** The last evaluation may take longer than the one before it by this factor, and leaving takes as many seconds. */
const SLACK = 1.2;
const LEAVING = 5;

const found: Record<string, unknown> = {};
let reported = Promise.resolve();

/** The results so far, as the last line of output: all that is lost when the time is cut off is the part after it. */
function report(part: string, values: Readonly<Record<string, unknown>>): Promise<void> {
  Object.assign(found, values);
  const soFar = { ok: false, cutOffAfter: part, ...found };
  reported = reported.then(() => finish('learn', soFar));
  return reported;
}

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
    const examples = await (flags.examples === undefined
      ? drawExamples(Number(flags.count))
      : readExamples(flags.examples));
    const settings = { ...flags, libtorch: libtorchVersion() };
    await report('load', { settings, drawn: examples.length, secondsToLoad: rounded(seconds()) });
    const play = { maxNewTokens: Number(flags['max-new-tokens']), maxSteps: Number(flags['max-steps']) };
    const unseen = (episodes: string) => unseenSuccess(policy, Number(episodes), play);
    const before = Number(flags.before) > 0 ? await unseen(flags.before) : undefined;
    if (before) await report('before', { before: before.success });

    const imitation = await imitate(policy, examples, {
      seconds: Number(flags.imitation),
      batch: Number(flags.batch),
      tokens: Number(flags.tokens),
      rate: Number(flags['imitation-rate']),
    });
    await report('imitation', { imitation });
    // the reference of reinforcement, and a fresh optimizer
    policy.foldIntoReference();
    const imitated = await unseen(flags.evaluate);
    await report('afterImitation', {
      afterImitation: imitated.success,
      ...(before && { imitationAgainstBefore: pairs(imitated.outcomes, before.outcomes) }),
    });

    const reinforcement = await reinforce(policy, {
      seconds: limit - seconds() - SLACK * imitated.success.seconds - LEAVING,
      environments: Number(flags.environments),
      steps: Number(flags.steps),
      batch: Number(flags['reinforcement-batch']),
      tokens: Number(flags.tokens),
      rate: Number(flags['reinforcement-rate']),
      valueRate: Number(flags['value-rate']),
      temperature: Number(flags.temperature),
      illegal: Number(flags.illegal),
      ...play,
      onUpdate: (reinforcement) => report(`update ${reinforcement.updates}`, { reinforcement }),
    });
    await report('reinforcement', { reinforcement });
    const reinforced = await unseen(flags.evaluate);
    Object.assign(found, {
      afterReinforcement: reinforced.success,
      reinforcementAgainstImitation: pairs(reinforced.outcomes, imitated.outcomes),
    });
    await finish('learn', { ok: true, ...found, seconds: rounded(seconds()) });
  } finally {
    policy.close();
  }
}

if (flags.write !== undefined) await writeExamples(flags.write, Number(flags.count));
else await main().catch(failing('learn', () => found));
