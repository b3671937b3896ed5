/**
 * `hostile-models.ts <seed> <folders> <home> [first]`: spoils a toy folder in many ways, one after the other, and uses it as
 * commands do. A line of JSON for each folder; the one that is tried stands on the error stream.
 */
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Generator, GymError } from '@vlgym/core';
import { SeedSequence } from '@vlgym/core/random';
import { setNumThreads } from '@vlgym/gpu';
import { createPolicy, inspectModel, openTokenCodec } from '@vlgym/models';
import { ROOT } from '../../support/workspaces.js';
import { spoilFolder } from '../support/hostile-folder.js';

const [seed, count, home, first = '0'] = process.argv.slice(2) as [string, string, string, string?];
const GOLDEN = join(ROOT, 'test/golden/vlm/qwen2_5_vl');
const [model, adapter] = [join(home, 'model'), join(home, 'adapter')];
setNumThreads(1);

const white = { data: new Uint8Array(56 * 56 * 3).fill(255), height: 56, width: 56, channels: 3 } as const;

/** As `inspect`, a worker, and an evaluation use a folder. */
async function use(withAdapter: boolean): Promise<void> {
  await inspectModel(model);
  await openTokenCodec({ model });
  const policy = await createPolicy({ model, ...(withAdapter && { adapter }) });
  try {
    const content = [{ type: 'image', image: white } as const, { type: 'text', text: 'a'.repeat(900) } as const];
    const input = policy.encode([{ role: 'user', content }]);
    const [answer] = await policy.sample([input], { maxNewTokens: 2, rng: [new Generator(1)] });
    if (!answer!.logProbs.every(Number.isFinite)) throw new Error('the log-probs are no numbers');
  } finally {
    policy.close();
  }
}

for (let index = Number(first); index < Number(first) + Number(count); index += 1) {
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  cpSync(join(GOLDEN, 'model'), model, { recursive: true });
  cpSync(join(GOLDEN, 'lora_all_linear'), adapter, { recursive: true });
  const spoiled =
    index < 0 ? undefined : spoilFolder(new Generator(new SeedSequence(Number(seed), { spawnKey: [index] })), home);
  process.stderr.write(`folder ${index} ${spoiled?.name}\n`);
  const [start, before] = [process.cpuUsage(), process.memoryUsage.rss()];
  let code: string | undefined;
  let raw: string | undefined;
  try {
    await use(spoiled?.adapter ?? true);
  } catch (error) {
    if (GymError.isInstance(error)) code = error.code;
    else raw = String((error as Error)?.stack ?? error).slice(0, 2000);
  }
  const { user, system } = process.cpuUsage(start);
  const gained = process.memoryUsage.rss() - before;
  if (({} as Record<string, unknown>).polluted !== undefined) raw = 'a prototype was changed';
  const line = { index, ...spoiled, code, raw, seconds: (user + system) / 1e6, gained };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
process.exit(0);
