import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { register, unregister } from '@vlgym/core';
import { EPISODES_FILE } from '@vlgym/core/internal';
import { checkTrajectory, replay, TrajectoryWriter } from '@vlgym/core/trajectory';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CorridorEnv } from '../../test-support/corridor-env.js';
import { echoModel } from '../../test-support/echo-model.js';
import { recorded } from '../../test-support/recorded.js';
import {
  type AnyAgent,
  type Evaluation,
  evaluate,
  oracleAgent,
  type PolicyAgentOptions,
  policyAgent,
  randomAgent,
} from '../index.js';

const corridor = () => new CorridorEnv();
const CORRIDOR_ID = 'test/RecordedCorridor-v0';
let folder: string;

beforeAll(async () => {
  register({ id: CORRIDOR_ID, entryPoint: (options) => new CorridorEnv(options), maxEpisodeSteps: 12 });
  folder = await mkdtemp(join(tmpdir(), 'vlgym-recording-'));
});
afterAll(async () => {
  unregister(CORRIDOR_ID);
  await rm(folder, { recursive: true, force: true });
});

describe('recording', () => {
  it('writes every episode so that it passes the check and replays', async () => {
    const path = join(folder, 'recording');
    const { episodes } = await evaluate({
      env: CORRIDOR_ID,
      agent: policyAgent(echoModel()),
      episodes: 6,
      parallel: 3,
      record: path,
    });
    const trajectories = await recorded(path);
    expect(trajectories.map(({ id }) => id).sort()).toEqual(episodes.map(({ id }) => id).sort());
    for (const trajectory of trajectories) {
      const row = episodes.find(({ id }) => id === trajectory.id)!;
      expect(trajectory.outcome).toEqual({
        return: row.return,
        length: row.length,
        success: row.success,
        endedBy: row.endedBy,
      });
      expect(await checkTrajectory(trajectory)).toMatchObject({ ok: true });
      expect(await replay(trajectory)).toMatchObject({ ok: true });
    }
    const [step] = trajectories[0]!.steps;
    expect(step!.prompt![1]!.content).toMatchObject([
      { type: 'image', image: expect.stringMatching(/^sha256:/) },
      { type: 'text' },
    ]);
    expect(step).toMatchObject({ policyVersion: 7, value: 0.5, tokens: { finishReason: 'stop' }, legal: true });
  });

  it('writes the same bytes each time', async () => {
    const bytes = async (name: string) => {
      const path = join(folder, name);
      await evaluate({ env: CORRIDOR_ID, agent: policyAgent(echoModel()), episodes: 4, record: path });
      return readFile(join(path, EPISODES_FILE), 'utf8');
    };
    expect(await bytes('again-1')).toBe(await bytes('again-2'));
  });

  it('refuses a folder that has episodes, unless it is resumed', async () => {
    const path = join(folder, 'used');
    const play = (options: object) =>
      evaluate({ env: CORRIDOR_ID, agent: oracleAgent(), episodes: 2, record: path, ...options });
    await play({});
    await expect(play({})).rejects.toMatchObject({ code: 'FOLDER_USED', folder: path, count: 2 });
    expect(await recorded(path)).toHaveLength(2);
    expect(await play({ resume: true })).toMatchObject({ counted: 2 });
  });

  it("leaves the caller's writer open", async () => {
    await using writer = await TrajectoryWriter.open(join(folder, 'shared-writer'));
    await evaluate({ env: corridor, agent: oracleAgent(), seeds: [1], record: writer });
    await evaluate({ env: corridor, agent: oracleAgent(), seeds: [2], record: writer });
    expect(writer.ids.size).toBe(2);
  });
});

describe('stopping and resuming', () => {
  /** Takes turns until its budget is exhausted. */
  const paid = (turns: number): AnyAgent => {
    const inner = policyAgent(echoModel());
    let left = turns;
    const error = { boundary: 'model', code: 'BUDGET_EXCEEDED', message: 'empty' } as const;
    return { name: 'paid', act: (context) => (left-- > 0 ? inner.act(context) : { text: '', error }) };
  };

  it.each([1, 3])(
    'stops at the end of the budget, and resumes to the same result (%i in parallel)',
    async (parallel) => {
      const path = join(folder, `budget-${parallel}`);
      const options = { env: CORRIDOR_ID, episodes: 12, parallel, breakdown: 'side' };
      const first = await evaluate({ ...options, agent: paid(30), record: path });
      expect(first.stopped).toBe('budget');
      expect(first.excluded).toBeGreaterThan(0);
      expect(first.counted).toBeLessThan(12);
      expect(first.episodes.filter(({ counted }) => !counted)).toMatchObject(
        Array(first.excluded).fill({ truncationReason: 'budget' }),
      );

      const seen: number[] = [];
      const agent = paid(1000);
      const second = await evaluate({
        ...options,
        agent,
        record: path,
        resume: true,
        onEpisode: ({ index }) => void seen.push(index),
      });
      expect(seen).toHaveLength(12 - first.counted);
      const plain = (result: Evaluation) => ({ ...result, episodes: result.episodes.map(({ id: _, ...row }) => row) });
      expect(plain(second)).toEqual(plain(await evaluate({ ...options, agent: paid(1000) })));

      const third = await evaluate({ ...options, agent: paid(0), record: path, resume: true });
      expect(third).toEqual(second);
    },
  );

  it('resumes to the same result after a kill between any two lines, also between a last step and its end', async () => {
    const options = { env: CORRIDOR_ID, agent: policyAgent(echoModel()), episodes: 3, parallel: 2 };
    const plain = ({ episodes, ...scores }: Evaluation) => ({
      ...scores,
      rows: episodes.map(({ id: _, ...row }) => row),
    });
    const whole = join(folder, 'whole');
    const undisturbed = plain(await evaluate({ ...options, record: whole }));
    const lines = (await readFile(join(whole, EPISODES_FILE), 'utf8')).split('\n').slice(0, -1);
    expect(undisturbed.successes).toBeGreaterThan(0);

    for (let kept = 0; kept <= lines.length; kept += 1) {
      const killed = join(folder, `killed-${kept}`);
      await mkdir(killed);
      await writeFile(
        join(killed, EPISODES_FILE),
        lines
          .slice(0, kept)
          .map((line) => `${line}\n`)
          .join(''),
      );
      const result = await evaluate({ ...options, record: killed, resume: true });
      expect(plain(result), `${kept} lines kept`).toEqual(undisturbed);
    }
  });

  it('refuses evaluations of different agents or rules in one folder', async () => {
    const path = join(folder, 'mixed');
    await evaluate({ env: CORRIDOR_ID, agent: oracleAgent(), episodes: 2, record: path });
    const resume = (options: object) =>
      evaluate({ env: CORRIDOR_ID, agent: oracleAgent(), episodes: 3, record: path, resume: true, ...options });
    const differs = (difference: string) => ({ code: 'RUN_DIFFERS', difference, folder: path });
    await expect(resume({ agent: randomAgent() })).rejects.toMatchObject(differs('agent.name'));
    await expect(resume({ maxSteps: 3 })).rejects.toMatchObject(differs('maxSteps'));
    await expect(resume({ fallback: 'terminate' })).rejects.toMatchObject(differs('fallback'));
    await expect(resume({ resetOptions: { start: 1 } })).rejects.toMatchObject(differs('resetOptions'));
    await expect(resume({ isSuccess: () => true })).rejects.toMatchObject(differs('successRule'));
    const env = { id: CORRIDOR_ID, maxEpisodeSteps: 12, options: { length: 7 } };
    await expect(resume({ env })).rejects.toMatchObject(differs('environment.options'));
    expect(await resume({})).toMatchObject({ counted: 3 });
  });

  it('refuses episodes of other weights or another temperature under the same name', async () => {
    const path = join(folder, 'weights');
    const play = (weights: string, sampling: PolicyAgentOptions, resume: boolean) => {
      const model = { ...echoModel(), weightsDigest: async () => weights };
      return evaluate({ env: CORRIDOR_ID, agent: policyAgent(model, sampling), episodes: 3, record: path, resume });
    };
    await play('sha256:a', { temperature: 0 }, false);
    await expect(play('sha256:b', { temperature: 0 }, true)).rejects.toMatchObject({
      code: 'RUN_DIFFERS',
      difference: 'agent.weights',
      found: 'sha256:a',
      wanted: 'sha256:b',
    });
    await expect(play('sha256:a', {}, true)).rejects.toMatchObject({ difference: 'agent.temperature' });
    expect(await play('sha256:a', { temperature: 0, maxNewTokens: 256 }, true)).toMatchObject({ counted: 3 });
  });

  it('stops at the signal with the episodes played so far', async () => {
    const controller = new AbortController();
    const path = join(folder, 'aborted');
    const result = await evaluate({
      env: CORRIDOR_ID,
      agent: oracleAgent(),
      episodes: 50,
      parallel: 2,
      record: path,
      signal: controller.signal,
      onEpisode: (_row, { done }) => {
        if (done === 4) controller.abort();
      },
    });
    expect(result.stopped).toBe('interrupted');
    expect(result.counted).toBeGreaterThanOrEqual(4);
    expect(result.episodes.length).toBeLessThan(8);
    expect(await recorded(path)).toHaveLength(result.episodes.length);
  });

  it('does not wait for an agent that ignores the signal', async () => {
    const controller = new AbortController();
    const agent: AnyAgent = {
      name: 'deaf',
      act: () => {
        controller.abort();
        return new Promise(() => {});
      },
    };
    const result = await evaluate({ env: corridor, agent, episodes: 5, signal: controller.signal });
    expect(result).toMatchObject({
      stopped: 'interrupted',
      counted: 0,
      excluded: 1,
      successRate: Number.NaN,
      interval95: [0, 1],
    });
  });

  it('plays nothing if the signal is already aborted', async () => {
    const result = await evaluate({ env: corridor, agent: randomAgent(), signal: AbortSignal.abort() });
    expect(result).toMatchObject({ stopped: 'interrupted', episodes: [], planned: 100 });
  });
});
