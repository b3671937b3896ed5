import { describe, expect, it } from 'vitest';
import type { Dialogue } from './dialogue.js';
import { parseResponse } from './parse-response.js';
import { isUnreadable, readResponse, thoughtEntries } from './read-response.js';

const dialogue: Dialogue<unknown, number> = {
  version: 'test/json-v1',
  prompt: () => [],
  parse: (text) => parseResponse(text, { actions: ['left', 'right'] }),
  check: (thought) => {
    const { goal } = thoughtEntries(thought);
    return goal === undefined ? undefined : goal === 'left';
  },
};
const context = { observation: undefined, info: {}, history: [] };

describe('readResponse', () => {
  it.each([
    ['{"goal": "left", "action": "left"}', true],
    ['{"goal": "right", "action": "left"}', false],
    ['Sure: {"goal": "right", "action": "up"}', undefined],
    ['{"goal": "left", "action": }', undefined],
    ['{"action": "left"}', undefined],
    ['nothing', undefined],
  ])('checks the thought of %j', (text, correct) => {
    expect(readResponse(dialogue, text, context).thoughtCorrect).toBe(correct);
    expect(readResponse({ ...dialogue, check: undefined as never }, text, context)).toEqual(dialogue.parse(text));
  });
});

describe('isUnreadable', () => {
  it.each([
    ['', true],
    ['hm', true],
    ['{"action": ""}', true],
    ['{"action": "left or right"}', true],
    ['{"action": "fly"}', true],
    ['{"action": "left"}', false],
  ])('%j: %s', (text, unreadable) => {
    expect(isUnreadable(dialogue.parse(text))).toBe(unreadable);
  });

  it('knows texts that an environment executes to no effect from actions that are not available', () => {
    expect(isUnreadable({ action: 'hm', reason: 'no-action-marker' })).toBe(true);
    expect(isUnreadable({ action: 'go to desk 7', reason: 'unavailable-action' })).toBe(false);
  });
});

describe('thoughtEntries', () => {
  it.each([
    ['{"cards": [7, 10], "thoughts": "7+10=17", ', { cards: [7, 10], thoughts: '7+10=17' }],
    ['```json\n{"goal": "left",\n  ', { goal: 'left' }],
    ['{"name": "act", "arguments": {"thoughts": "go", ', { thoughts: 'go' }],
    ['<think>the way is free</think>\n', { thoughts: 'the way is free' }],
    ['3<5', { thoughts: '3<5' }],
    ['{"goal": "le', { thoughts: '{"goal": "le' }],
    ['', { thoughts: '' }],
  ])('reads %j', (said, entries) => {
    expect(thoughtEntries(said)).toEqual(entries);
  });
});
