/** A real llama.cpp on pretrained weights: evaluation by `vlgym eval`, and ids in and out. */
import { LlamaCppEngine } from '@vlgym/queue';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { vlgym } from '../support/vlgym.js';
import { home, type RealServer, reason, startLlamaCpp } from './servers.js';

vi.setConfig({ testTimeout: 900_000, hookTimeout: 3_600_000 });

describe.skipIf(home === undefined)(`a real llama.cpp${reason}`, () => {
  let server: RealServer;
  beforeAll(async () => {
    server = await startLlamaCpp();
  });
  afterAll(() => server?.stop());

  it('answers ids with ids and their log-probs', async () => {
    const engine = new LlamaCppEngine({ url: server.url });
    const request = {
      ...{ requestId: 'real', model: 'base', promptIds: Int32Array.of(504, 3575, 282, 4649, 314), images: [] },
      ...{ imageToken: undefined, maxNewTokens: 8, topP: 1, topK: 0, seed: 3, stopTokenIds: [2] },
    };
    const signal = AbortSignal.timeout(600_000);
    const greedy = await engine.generate({ ...request, temperature: 0 }, signal);
    expect(await engine.generate({ ...request, temperature: 0 }, signal)).toMatchObject({ tokenIds: greedy.tokenIds });
    const drawn = await engine.generate({ ...request, temperature: 1 }, signal);
    expect(drawn.behaviorLogProbs).toHaveLength(drawn.tokenIds.length);
    for (const logProb of drawn.behaviorLogProbs) expect(logProb).toBeLessThanOrEqual(0);
  });

  it('is judged by `vlgym eval`, in words', async () => {
    const { code, stdout } = await vlgym([
      ...['eval', 'vlgym/ALFWorld-v2', '--agent', 'openai', '--model', 'base', '--base-url', `${server.url}/v1`],
      ...['--episodes', '1', '--env-options', '{"maxEpisodeSteps":3}', '--json', '--settings', 'maxOutputTokens=32'],
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toBeTypeOf('object');
  });
});
