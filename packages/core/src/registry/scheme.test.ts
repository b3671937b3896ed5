import { afterEach, describe, expect, it } from 'vitest';
import { CountingEnv } from '../testing/counting-env.js';
import { make, makeFromSpec } from './make.js';
import { resolveEnvId } from './names.js';
import { registerScheme } from './scheme.js';
import { specToJson } from './spec/spec-json.js';
import { makeFromUntrustedSpec } from './spec/untrusted-spec.js';
import { registryState } from './state.js';

describe('registerScheme', () => {
  afterEach(() => {
    registryState().schemes.delete('counting');
  });

  const add = () =>
    registerScheme({
      scheme: 'counting',
      find: (id, rest) => ({ id, entryPoint: () => new CountingEnv({ maxTarget: Number(rest) }), maxEpisodeSteps: 3 }),
    });

  it('makes environments of ids that nothing has registered, and makes them again from their specs', async () => {
    add();
    const env = await make('counting:5');
    expect(env.spec?.id).toBe('counting:5');
    const again = await makeFromSpec(specToJson(env.spec!));
    expect(await again.reset({ seed: 3 })).toEqual(await env.reset({ seed: 3 }));
    expect(resolveEnvId('counting:5')).toBe('counting:5');
  });

  it('refuses an id with a scheme that comes in a file', async () => {
    add();
    await expect(makeFromUntrustedSpec({ id: 'counting:5' })).rejects.toMatchObject({ code: 'UNTRUSTED_SPEC' });
  });

  it('refuses a scheme that is not lower-case letters', () => {
    expect(() => registerScheme({ scheme: 'C', find: () => ({}) as never })).toThrow('Invalid scheme');
  });
});
