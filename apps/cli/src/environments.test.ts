import { findRegistration, registeredIds } from '@vlgym/core';
import { guideOf } from '@vlgym/core/registry';
import { expect, it } from 'vitest';
import './environments.js';

it('tells people of every environment what is to be reached, what is allowed, and what counts', () => {
  const ids = registeredIds().filter((id) => findRegistration(id).module?.startsWith('@vlgym/'));
  expect(ids.length).toBeGreaterThan(40);
  for (const id of ids) {
    const guide = guideOf(findRegistration(id));
    expect([id, Object.keys(guide ?? {})]).toEqual([id, ['goal', 'rules', 'score']]);
    const text = Object.values(guide!).join(' ');
    expect(text).not.toMatch(/info\.|undefined|NaN/);
    expect(text.length).toBeLessThan(600);
  }
});
