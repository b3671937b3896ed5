/** Correctors of GTR: verdicts, labels, and what happens when a model fails (`docs/specs/algorithms.md` 4.2, 15.16). */
import type { Agent } from '@vlgym/agents';
import { Episode } from '@vlgym/agents/episode';
import { type AnyEnv, Generator } from '@vlgym/core';
import { expertCorrector, gtr, gtrWith, modelCorrector, type Verdict } from '@vlgym/gtr-turbo';
import { train, type UpdateRecord } from '@vlgym/rl';
import type { RunningTurn } from '@vlgym/rl/rollout';
import { describe, expect, it } from 'vitest';
import { BanditEnv, CorridorEnv, smallPolicy, teachLetters } from './algos-tasks.js';

async function turnOf(env: AnyEnv, text: string): Promise<RunningTurn> {
  const episode = new Episode({ env, rng: new Generator(1) });
  await episode.reset({ seed: 1 });
  const decision = episode.read(text);
  return { episode, prompt: episode.prompt(), response: { text } as never, decision, isFork: false };
}

/** Says what it is told to, one text after the other. */
function scripted(...texts: (string | { error: string })[]) {
  const asked: unknown[] = [];
  const agent: Pick<Agent, 'act'> = {
    act: async ({ messages }) => {
      const next = texts[Math.min(asked.length, texts.length - 1)]!;
      asked.push(messages);
      if (typeof next === 'string') return { text: next };
      return { text: '', error: { boundary: 'model', code: next.error, message: 'no' } };
    },
  };
  return { agent, asked };
}

describe('the expert as corrector', () => {
  it('finds an answer wrong whose action is not its own, and says what it would say', async () => {
    expect(await expertCorrector(await turnOf(new CorridorEnv(), 'AA'), undefined)).toEqual({ verdict: 'correct' });
    expect(await expertCorrector(await turnOf(new CorridorEnv(), 'AB'), undefined)).toEqual({
      verdict: 'wrong',
      correction: 'xA',
    });
  });

  it('believes the environment where it can check thoughts', async () => {
    const env = new CorridorEnv();
    Object.assign(env.dialogue, { check: (thought: string) => thought.startsWith('C') });
    expect(await expertCorrector(await turnOf(env, 'CB'), undefined)).toEqual({ verdict: 'correct' });
    expect(await expertCorrector(await turnOf(env, 'DA'), undefined)).toMatchObject({ verdict: 'wrong' });
  });
});

describe('a model as corrector', () => {
  it.each<[string, (string | { error: string })[], Verdict, number]>([
    ['approves', ['{"evaluation": "yes"}'], { verdict: 'correct' }, 1],
    ['corrects', ['well: {"evaluation": "no", "correction": "xA"}'], { verdict: 'wrong', correction: 'xA' }, 1],
    ['is asked again after an unreadable answer', ['hm', '{"evaluation": "yes"}'], { verdict: 'correct' }, 2],
    [
      'is asked again after a correction without the format',
      ['{"evaluation": "no", "correction": "x"}'],
      { verdict: 'failed' },
      3,
    ],
    ['whose budget is used up gives no label', [{ error: 'BUDGET_EXCEEDED' }], { verdict: 'failed' }, 1],
  ])('%s', async (_, texts, expected, requests) => {
    const { agent, asked } = scripted(...texts);
    expect(await modelCorrector(agent, { tries: 3 })(await turnOf(new CorridorEnv(), 'AB'), undefined)).toEqual(
      expected,
    );
    expect(asked).toHaveLength(requests);
  });

  it('reads what the agent read and what it answered, and is asked once for equal turns', async () => {
    const { agent, asked } = scripted('{"evaluation": "yes"}');
    const correct = modelCorrector(agent);
    for (const text of ['AB', 'AB', 'AC']) await correct(await turnOf(new CorridorEnv(), text), undefined);
    expect(asked).toHaveLength(2);
    expect(JSON.stringify(asked[0])).toMatch(/A A A A.*AB/);
  });
});

it('a model is named in the options, with a budget; anything else is refused', () => {
  const { config, open } = gtr({ guidance: { corrector: 'openai/gpt-4o', maxRequests: 5 } });
  expect(() => open!({ policy: undefined as never, config }).dispose()).not.toThrow();
  expect(() => gtr({ guidance: { corrector: 'somebody' } })).toThrow(
    expect.objectContaining({ code: 'INVALID_CONFIG', path: 'guidance.corrector' }),
  );
});

it('a corrector that always fails leaves training without labels and without penalties', async () => {
  const policy = await smallPolicy({ seed: 1 });
  const lesson = { contexts: 4, actions: 4, right: (context: number) => context, hint: 0.5 };
  await teachLetters(policy, { ...lesson, env: new BanditEnv(), steps: 40 });
  const records: UpdateRecord[] = [];
  await train({
    policy,
    algorithm: gtrWith(() => ({ verdict: 'failed' }))({ rollout: { maxNewTokens: 3 }, value: { warmupUpdates: 0 } }),
    makeEnv: () => new BanditEnv(),
    updates: 1,
    stepsPerUpdate: 32,
    numEnvs: 16,
    seed: 1,
    onMetrics: (record) => records.push(record),
  });
  policy.close();
  const [{ metrics }] = records as [UpdateRecord];
  expect(metrics['corrector/failed-share']).toBeGreaterThan(0.8);
  expect(metrics['corrector/dagger-size']).toBe(0);
  expect(metrics['loss/sft']).toBeUndefined();
});
