import { checkEnv, declaredEnvironments, make, spec } from '@vlgym/core';
import { describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import './index.js';

describe.each(declaredEnvironments(manifest))('%s', (id) => {
  it('meets the contract of every environment', async () => {
    const options = { size: { height: 28, width: 56 } };
    const report = await checkEnv(() => make(id as string, { options }), { steps: 25 });
    expect(report.findings).toEqual([]);
  });

  it('is registered by importing the package', () => {
    expect(spec(id).module).toBe('@vlgym/points24');
    expect(spec(id).maxEpisodeSteps).toBe(id.startsWith('gym_cards/') ? 300 : undefined);
  });
});

it('meets the contract without pictures', async () => {
  await checkEnv(() => make('gym_cards/Blackjack-v0', { options: { isPixel: false } }));
});
