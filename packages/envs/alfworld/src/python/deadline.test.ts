import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Deadline } from './deadline.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance'] });
});
afterEach(() => vi.useRealTimers());

it('expires without a sign of life, and not before', () => {
  const over = vi.fn();
  new Deadline({ timeout: 100, longest: 1000 }, over);
  vi.advanceTimersByTime(99);
  expect(over).not.toHaveBeenCalled();
  vi.advanceTimersByTime(10);
  expect(over.mock.calls).toEqual([['and has not worked for 100 ms']]);
});

it('counts from the last sign of life, up to a bound', () => {
  const over = vi.fn();
  const deadline = new Deadline({ timeout: 100, longest: 1000 }, over);
  for (let sign = 0; sign < 11; sign += 1) {
    vi.advanceTimersByTime(90);
    deadline.alive();
    expect(over).not.toHaveBeenCalled();
  }
  vi.advanceTimersByTime(20);
  expect(over.mock.calls).toEqual([['within 1000 ms']]);
});

it('accepts a sign that arrived while Node was busy', () => {
  const over = vi.fn();
  const deadline = new Deadline({ timeout: 100, longest: 1000 }, over);
  // Node reads pending input after timers that are due, and before immediates.
  setTimeout(() => deadline.alive(), 100);
  vi.advanceTimersByTime(150);
  expect(over).not.toHaveBeenCalled();
});

it('ends with its call', () => {
  const over = vi.fn();
  new Deadline({ timeout: 100, longest: 1000 }, over).clear();
  vi.advanceTimersByTime(5000);
  expect(over).not.toHaveBeenCalled();
});
