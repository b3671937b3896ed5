/** The meaning of a folder argument: the same for all commands. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evaluate, oracleAgent, randomAgent, suite } from '@vlgym/agents';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import '../environments.js';
import { readResult } from '../suite/result-file.js';
import { placeOf } from './place.js';
import { recordingsIn } from './recordings.js';
import { weightsIn } from './weights.js';

const [env, seeds] = ['vlgym/EZPoints-v1', [3, 4, 5]];
let home: string;
const at = (...parts: string[]) => join(home, ...parts);

async function file(...parts: string[]): Promise<void> {
  await mkdir(at(...parts.slice(0, -1)), { recursive: true });
  await writeFile(at(...parts), '{}');
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'vlgym-folders-'));
  await file('bench', 'card', 'run', 'run.json');
  await file('bench', 'card', 'run', 'start', 'policy', 'policy.json');
  for (const checkpoint of ['checkpoint-000011', 'checkpoint-000012']) {
    await file('bench', 'card', 'run', checkpoint, 'policy', 'policy.json');
  }
  await writeFile(at('bench', 'card', 'run', 'latest'), 'checkpoint-000012');
  await evaluate({ env, agent: oracleAgent(), seeds, record: at('bench', 'card', 'run', 'episodes') });
  await evaluate({ env, agent: randomAgent(), seeds, record: at('bench', 'card', 'run', 'start', 'episodes') });
  await file('sft', 'checkpoint-000200', 'policy', 'policy.json');
  await file('published', 'config.json');
  await evaluate({ env, agent: randomAgent(), seeds, record: at('recording') });
  const environments = [env, 'vlgym/NumberLine-v1'];
  await suite({ environments, agents: [oracleAgent(), randomAgent()], seeds, folder: at('suite') });
  await mkdir(at('empty'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

describe('weights', () => {
  it.each([
    ['bench/card/run', 'bench/card/run/checkpoint-000012/policy'],
    ['bench/card/run@latest', 'bench/card/run/checkpoint-000012/policy'],
    ['bench/card/run@11', 'bench/card/run/checkpoint-000011/policy'],
    ['bench/card/run@0', 'bench/card/run/start/policy'],
    ['bench/card/run/checkpoint-000011', 'bench/card/run/checkpoint-000011/policy'],
    ['bench/card/run/checkpoint-000011/policy', 'bench/card/run/checkpoint-000011/policy'],
    ['bench/card/run/start', 'bench/card/run/start/policy'],
    ['sft', 'sft/checkpoint-000200/policy'],
    ['sft@200', 'sft/checkpoint-000200/policy'],
  ])('of %s are %s', async (given, folder) => {
    expect((await weightsIn(at(given))).folder).toBe(at(folder));
  });

  it('of a run that says another checkpoint is its newest are that one', async () => {
    await file('torn', 'run.json');
    for (const name of ['checkpoint-000001', 'checkpoint-000002']) await file('torn', name, 'policy', 'policy.json');
    await writeFile(at('torn', 'latest'), 'checkpoint-000001');
    expect((await weightsIn(at('torn'))).folder).toBe(at('torn/checkpoint-000001/policy'));
  });

  it.each([
    ['bench/card/run@10', /no checkpoint of update 10.*\n.*0, 11, 12, or latest/],
    ['bench/card/run@last', /names no update/],
    ['bench/card/run/start@11', /is not a run, so it has no @11/],
    ['recording', /holds no weights/],
    ['published', /holds no weights[\s\S]*give it as --model/],
    ['nowhere', /does not exist/],
  ])('of %s: %s', async (given, message) => {
    await expect(weightsIn(at(given))).rejects.toThrow(message);
  });
});

describe('episodes', () => {
  it.each([
    ['bench/card/run', ['bench/card/run/episodes']],
    ['bench/card/run@latest', ['bench/card/run/episodes']],
    ['bench/card/run@12', ['bench/card/run/episodes']],
    ['bench/card/run/checkpoint-000012', ['bench/card/run/episodes']],
    ['bench/card/run/episodes', ['bench/card/run/episodes']],
    ['bench/card/run@0', ['bench/card/run/start/episodes']],
    ['bench/card/run/start', ['bench/card/run/start/episodes']],
    ['recording', ['recording']],
    ['recording/episodes.jsonl', ['recording/episodes.jsonl']],
  ])('of %s are %j', async (given, folders) => {
    expect(await recordingsIn(at(given))).toEqual(folders.map((folder) => at(folder)));
  });

  it('of a suite are those of its cells', async () => {
    const cells = await recordingsIn(at('suite'));
    expect(cells.length).toBe(4);
    expect((await readResult(at('suite'))).cells.map(({ agent }) => agent).sort()).toEqual([
      'oracle',
      'oracle',
      'random',
      'random',
    ]);
  });

  it.each([
    ['bench/card/run@11', /no episodes of update 11/],
    ['bench', /holds runs, not episodes/],
    ['empty', /holds no recorded episodes/],
    ['bench/card/run/run.json', /holds no recorded episodes[\s\S]*ends in \.jsonl/],
    ['nowhere', /does not exist/],
  ])('of %s: %s', async (given, message) => {
    await expect(recordingsIn(at(given))).rejects.toThrow(message);
  });
});

describe('results', () => {
  it('of runs and recordings can be compared', async () => {
    const [run, recording] = [await readResult(at('bench/card/run')), await readResult(at('recording'))];
    expect(run.cells).toMatchObject([{ environment: env, agent: 'oracle', planned: 3, scores: { successes: 3 } }]);
    expect(recording.cells).toMatchObject([{ environment: env, agent: 'random', planned: 3 }]);
  });
});

describe('the run', () => {
  it.each(['', '@11', '@latest', '/checkpoint-000011', '/checkpoint-000011/policy', '/start', '/episodes'])(
    'is found from RUN%s',
    async (part) => {
      expect((await placeOf(`${at('bench/card/run')}${part}`)).run).toBe(at('bench/card/run'));
    },
  );

  it('whose own name holds an @ is itself', async () => {
    await file('odd@7', 'run.json');
    expect(await placeOf(at('odd@7'))).toMatchObject({ run: at('odd@7'), update: 'latest' });
  });
});
