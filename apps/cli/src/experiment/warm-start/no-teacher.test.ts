import '@vlgym/points24';
import { expect, it } from 'vitest';
import { completeTask } from '../settings/settings.js';
import { taskSchema } from '../spec.js';
import { lessons, NoTeacherError } from './warm-start.js';

it('an environment without an expert trains with --warm-start none, which the error names', () => {
  const { hint } = new NoTeacherError('somebody/Else-v0');
  expect(hint).toContain('--warm-start none');
  expect(hint).toContain('--constrain json');
  const task = (given: object) => completeTask(taskSchema.parse({ env: 'vlgym/EZPoints-v1', ...given }));
  expect(lessons(task({}))).toBeDefined();
  expect(lessons(task({ warmStart: 'none' }))).toBeUndefined();
});
