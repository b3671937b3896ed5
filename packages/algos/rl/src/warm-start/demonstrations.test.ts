import type { AnyEnv } from '@vlgym/core';
import { CountingEnv } from '@vlgym/core/testing';
import { expect, it } from 'vitest';
import type { Policy } from '../policy.js';
import { demonstrations } from './demonstrations.js';

it('says that an expert without words teaches nothing', async () => {
  const env = new CountingEnv();
  Object.assign(env, { dialogue: { ...env.dialogue, demonstrate: () => '' } });
  const policy = { encodeResponse: () => ({ ids: [] }), encode: () => ({}) } as unknown as Policy;
  const labels = demonstrations({ policy, env: env as unknown as AnyEnv, seed: 1, exploration: 0, mistakes: 0 });
  await expect(labels.next()).rejects.toMatchObject({
    code: 'EMPTY_DEMONSTRATION',
    value: 1,
    hint: expect.stringContaining('--warm-start none'),
  });
});
