/** A policy is judged as it was trained, and no success is luck. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { composeConfig } from '../config/compose.js';
import { commonOptions } from '../config/option-groups.js';
import { evaluationSettings, policyOptions } from './evaluation-settings.js';

const trained = { maxNewTokens: 24, topK: 5, topP: 0.9, repetitionPenalty: 1.1, constrain: 'json' } as const;
const config = composeConfig(z.strictObject(commonOptions), {
  rollout: { ...trained, temperature: 0.7, fallback: 'random' },
});

it('answers as in training, and takes an unreadable answer for a turn that does nothing', () => {
  expect(evaluationSettings(config)).toEqual({ ...trained, temperature: 0, fallback: 'illegal-noop' });
  expect(evaluationSettings(composeConfig(z.strictObject(commonOptions)))).toMatchObject({ constrain: 'none' });
});

it('chooses its own temperature, and the published rule where a paper is replicated', () => {
  expect(evaluationSettings(config, { temperature: 1, fallback: 'random' })).toMatchObject({
    temperature: 1,
    fallback: 'random',
  });
});

it('reaches the agent whole', () => {
  expect(policyOptions(evaluationSettings(config))).toEqual({ ...trained, temperature: 0 });
  expect(policyOptions({ ...evaluationSettings(config), constrain: 'none' }).constrain).toBeUndefined();
});
