import { expect, it } from 'vitest';
import { createMiniWorld } from '../env/make-task.js';
import { miniWorldGuide } from './guides.js';
import { SUITE, type TaskName } from './suite.js';

it('has a guide for each world, with the actions that it offers', () => {
  for (const name of Object.keys(SUITE) as TaskName[]) {
    const guide = miniWorldGuide(name, {});
    for (const text of Object.values(guide)) expect(text).toMatch(/^[A-Z].*\.$/);
    const { labels } = createMiniWorld(name).actionSpace;
    expect([name, guide.rules.includes('pick up')]).toEqual([name, labels!.includes('pick up')]);
  }
  expect(miniWorldGuide('Sign', { goal: 1 }).goal).toContain('go to the key of that color');
});

it('describes what the picture shows', () => {
  const env = createMiniWorld('OneRoomS6');
  env.reset({ seed: 0 });
  expect(env.describeState()).toMatch(
    /^You see .*Walls, from the left edge of the view to the right edge: .* Your hands are empty\.$/,
  );
});
