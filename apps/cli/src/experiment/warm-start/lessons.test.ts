import '@vlgym/points24';
import { expect, it } from 'vitest';
import { completeTask } from '../settings/settings.js';
import { taskSchema } from '../spec.js';
import { lessons } from './lessons.js';
import { NoTeacherError } from './warm-start.js';

const task = (given: object) => completeTask(taskSchema.parse({ env: 'vlgym/EZPoints-v1', ...given }));

it('an environment without an expert trains with --warm-start none, which the error names', () => {
  const { hint } = new NoTeacherError('somebody/Else-v0');
  expect(hint).toContain('--warm-start none');
  expect(hint).toContain('--constrain json');
  expect(lessons(task({}))).toBeDefined();
  expect(lessons(task({ warmStart: 'none' }))).toBeUndefined();
});

it.each([
  ['the rate and the batch that the environment declares', {}, [2e-3, 64]],
  ['2e-4 for a model folder, whose adapters take smaller steps than random weights', { model: './folder' }, [2e-4, 64]],
  ['what is typed', { model: './folder', warmStartLearningRate: 5e-4, warmStartBatch: 16 }, [5e-4, 16]],
])('a warm start learns with %s', (_, given, expected) => {
  const { learningRate, batch } = lessons(task(given))!;
  expect([learningRate, batch]).toEqual(expected);
});
