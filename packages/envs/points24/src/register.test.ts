import { checkEnv, make, registeredIds, spec } from '@vlgym/core';
import { describe, expect, it } from 'vitest';
import './index.js';

const IDS = [
  'gym_cards/NumberLine-v0',
  'gym_cards/EZPoints-v0',
  'gym_cards/Points24-v0',
  'gym_cards/Blackjack-v0',
  'vlgym/NumberLine-v1',
  'vlgym/EZPoints-v1',
  'vlgym/Points24-v1',
  'vlgym/Blackjack-v1',
] as const;

describe.each(IDS)('%s', (id) => {
  it('meets the contract of every environment', async () => {
    const report = await checkEnv(() => make(id, { options: { size: { height: 28, width: 56 } } }), { steps: 25 });
    expect(report.findings).toEqual([]);
  });

  it('is registered by importing the package', () => {
    expect(registeredIds()).toContain(id);
    expect(spec(id).module).toBe('@vlgym/points24');
    expect(spec(id).maxEpisodeSteps).toBe(id.startsWith('gym_cards/') ? 300 : undefined);
  });
});

it('meets the contract without pictures', async () => {
  await checkEnv(() => make('gym_cards/Blackjack-v0', { options: { isPixel: false } }));
});
