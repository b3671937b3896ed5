/**
 * Greedy tokens of a text-only folder as published, here and by transformers, in float32:
 *
 *     VLGYM_PYTHON=…/bin/python npx tsx packages/models/scripts/greedy-check.ts FOLDER [TOKENS]
 *
 * Needs a Python with torch and transformers. Exits 0 only if all tokens are equal.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Generator } from '@vlgym/core';
import { setNumThreads } from '@vlgym/gpu';
import { createPolicy } from '../src/policy/create-policy.js';

const PROMPTS = [
  'What is the capital of France?',
  'You are in a kitchen. You see a fridge, a sink and an apple on the table. Put the apple into the fridge. What do you do first?',
  'Write 7 + 5 * 2 as one number.',
];
const [folder, tokens = '48'] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: npx tsx packages/models/scripts/greedy-check.ts FOLDER [TOKENS]');
  process.exit(2);
}
setNumThreads(1);
const policy = await createPolicy({
  model: folder,
  config: { valueHead: [4] },
  dtype: 'float32',
  train: { lora: { r: 1, alpha: 1 } },
});
const inputs = PROMPTS.map((content) => policy.encode([{ role: 'user', content }]));
const script = fileURLToPath(new URL('greedy.py', import.meta.url));
const theirs = JSON.parse(
  execFileSync(process.env.VLGYM_PYTHON ?? 'python3', [script, folder, tokens], {
    input: JSON.stringify(inputs.map(({ promptIds }) => Array.from(promptIds))),
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, HF_HUB_OFFLINE: '1' },
    encoding: 'utf8',
  }),
) as number[][];
const ours = await policy.sample(inputs, { maxNewTokens: Number(tokens), temperature: 0, rng: new Generator(0) });
let equal = true;
for (const [i, { tokenIds, text }] of ours.entries()) {
  // here a response ends at the end of the turn; there it was made to go on
  const wanted = theirs[i]!.slice(0, tokenIds.length);
  const same = tokenIds.every((id, t) => id === wanted[t]);
  equal &&= same;
  console.log(`${same ? 'ok  ' : 'FAIL'} ${PROMPTS[i]} → ${tokenIds.length} tokens: ${JSON.stringify(text)}`);
}
policy.close();
process.exitCode = equal ? 0 : 1;
