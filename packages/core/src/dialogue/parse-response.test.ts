import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mapAction, type ParseOptions, parseResponse } from './parse-response.js';
import { tokenSpans } from './token-spans.js';

const cards = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '+', '-', '*', '/', '(', ')', '='];
const commands = ['go to cabinet 1', 'go to cabinet 10', 'take mug 1 from desk 1', 'look', 'inventory'];
const json: ParseOptions = { actions: cards };
const house: ParseOptions = { actions: commands };
const tags: ParseOptions = { actions: cards, format: 'tags' };
const call: ParseOptions = { actions: cards, format: 'tool-call' };

/** name, response, options, action as text (or the failure), format valid, text at which the action span begins */
const table: [name: string, text: string, options: ParseOptions, outcome: string, valid: boolean, marker: string][] = [
  // JSON in the requested format
  ['plain', '{"thoughts": "x", "action": "3"}', json, '3', true, '"action": "3"}'],
  ['whitespace around', ' \n{"action": "="}\n', json, '=', true, '"action": "="}\n'],
  ['pretty printed', '{\n  "thoughts": "x",\n  "action" : "+"\n}', json, '+', true, '"action" : "+"\n}'],
  ['a number', '{"action": 8}', json, '8', true, '"action": 8}'],
  ['a number as serializers of floats write it', '{"action": 10.0}', json, '10', true, '"action": 10.0}'],
  ['a number with an exponent', '```{"action": 1e1}```', json, '10', false, '"action": 1e1}```'],
  ['a fraction', '{"action": 1.5}', json, 'unknown-action', true, '"action": 1.5}'],
  ['a text that is not a number', '{"action": "10.0"}', json, 'unknown-action', true, '"action": "10.0"}'],
  ['a listed fraction', '{"action": 1.0}', { actions: ['0.5', '1.0'] }, '1.0', true, '"action": 1.0}'],
  ['ten instead of one', '{"action": "10"}', json, '10', true, '"action": "10"}'],
  [
    'marker inside the thought',
    '{"thoughts": "\\"action\\": \\"9\\"", "action": "4"}',
    json,
    '4',
    true,
    '"action": "4"}',
  ],
  ['unicode before the marker', '{"thoughts": "🂡 é 左", "action": "4"}', json, '4', true, '"action": "4"}'],
  ['an escaped slash', '{"action": "\\/"}', json, '/', true, '"action": "\\/"}'],
  ['a unicode escape', '{"action": "\\u0037"}', json, '7', true, '"action": "\\u0037"}'],
  ['two keys: the last counts', '{"action": "3", "action": "4"}', json, '4', true, '"action": "4"}'],
  ['another case of the value', '{"action": "Go To Cabinet 10"}', house, 'go to cabinet 10', true, '"action": "Go To'],
  ['blanks in the value', '{"action": " go to  cabinet 1 "}', house, 'go to cabinet 1', true, '"action": " go'],
  // malformed JSON: read, but not valid
  ['a code fence', '```json\n{"thoughts": "x", "action": "3"}\n```', json, '3', false, '"action": "3"}\n```'],
  ['words before', 'Sure! {"action": "3"}', json, '3', false, '"action": "3"}'],
  ['words after', '{"action": "3"} - as 3 + 4 = 7', json, '3', false, '"action": "3"} - as'],
  ['a key after the action', '{"action": "3", "note": "3 - 1"}', json, '3', false, '"action": "3", "note"'],
  ['a nested action', '{"action": "3", "more": {"action": "4"}}', json, '4', false, '"action": "4"}}'],
  ['python quotes', "{'thoughts': \"it's\", 'action': '5'}", json, '5', false, "'action': '5'}"],
  ['an apostrophe in prose', 'I don\'t know {"action": "5"}', json, '5', false, '"action": "5"}'],
  [
    'an apostrophe in prose, and the marker in a later string',
    'Don\'t ask: {"action": "4", "note": "not \\"action\\": \\"9\\""}',
    json,
    '4',
    false,
    '"action": "4", "note"',
  ],
  ['another case of the key', '{"Action": "5"}', json, '5', false, '"Action": "5"}'],
  ['two objects: the last counts', '{"action": "5"} or {"action": "6"}', json, '6', false, '"action": "6"}'],
  ['a quote in the thought', '{"thoughts": "say "5", ok", "action": "6"}', json, '6', false, '"action": "6"}'],
  ['a missing comma', '{"thoughts": "x"\n"action": "6"}', json, '6', false, '"action": "6"}'],
  ['an open thought', '{"thoughts": "abc, "action": "6"}', json, '6', false, '"action": "6"}'],
  ['an open value', '{"thoughts": "x", "action": "6', json, '6', false, '"action": "6'],
  ['an open object', '{"thoughts": "x", "action": "6"', json, '6', false, '"action": "6"'],
  ['a trailing comma', '{"action": "6",}', json, '6', false, '"action": "6",}'],
  ['keys without quotes', '{thoughts: "x", action: "6"}', json, '6', false, 'action: "6"}'],
  ['JSON as a string', '"{\\"action\\": \\"6\\"}"', json, '6', false, '\\"action\\"'],
  ['an answer in prose', 'Thought: easy.\nAction: go to cabinet 10.', house, 'go to cabinet 10', false, 'Action: go'],
  ['words around the action', '{"action": "I go to cabinet 10 now"}', house, 'go to cabinet 10', true, '"action": "I'],
  // nothing to execute
  ['empty', '', json, 'empty', false, ''],
  ['blank', ' \n ', json, 'empty', false, ' \n '],
  ['no marker', 'I would take the 5', json, 'no-action-marker', false, 'I would take the 5'],
  ['a key that only ends in action', '{"reaction": "5"}', json, 'no-action-marker', false, '{"reaction": "5"}'],
  ['cut off before the action', '{"thoughts": "abc"', json, 'no-action-marker', false, '{"thoughts": "abc"'],
  ['an empty value', '{"action": ""}', json, 'no-action', true, '"action": ""}'],
  ['null', '{"action": null}', json, 'no-action', false, '"action": null}'],
  ['an object', '{"action": {"name": "5"}}', json, 'no-action', false, '"action": {"name"'],
  ['two actions', '{"action": "1 or 2"}', json, 'ambiguous-action', true, '"action": "1 or 2"}'],
  ['one action too many', '{"action": "10+"}', json, 'ambiguous-action', true, '"action": "10+"}'],
  ['eleven instead of one', '{"action": "11"}', json, 'unknown-action', true, '"action": "11"}'],
  ['a fraction that contains a listed number', '{"action": "1.5"}', json, 'unknown-action', true, '"action": "1.5"}'],
  ['cabinet 100 is not cabinet 10', '{"action": "go to cabinet 100"}', house, 'unknown-action', true, '"action": "go'],
  ['part of a word', '{"action": "overlook"}', house, 'unknown-action', true, '"action": "overlook"}'],
  // tags
  ['tags', '<think>x</think><action>5</action>', tags, '5', true, '<action>5'],
  ['tags with blanks', '<think>\nx\n</think>\n<action> 5 </action>\n', tags, '5', true, '<action> 5'],
  ['a tag inside the thought', '<think><action>4</action></think><action>5</action>', tags, '5', true, '<action>5'],
  ['no thought tag', '<action>5</action>', tags, '5', false, '<action>5'],
  ['words before tags', 'So: <think>x</think><action>5</action>', tags, '5', false, '<action>5'],
  ['an open tag', '<think>x</think><action>5', tags, '5', false, '<action>5'],
  ['tags in capitals', '<THINK>x</THINK><ACTION>5</ACTION>', tags, '5', false, '<ACTION>5'],
  ['no action tag', '<think>5</think>', tags, 'no-action-marker', false, '<think>5</think>'],
  // tool calls
  ['a call', '{"name": "act", "arguments": {"action": "5"}}', call, '5', true, '"action": "5"}}'],
  [
    'a call in tags',
    'hm\n<tool_call>\n{"name": "act", "arguments": {"action": "5"}}\n</tool_call>',
    call,
    '5',
    true,
    '"action"',
  ],
  ['arguments as a string', '{"name": "act", "arguments": "{\\"action\\": \\"5\\"}"}', call, '5', true, '\\"action\\"'],
  ['an AI SDK part', '{"type": "tool-call", "toolName": "act", "input": {"action": "5"}}', call, '5', true, '"action"'],
  [
    'the tool is the action',
    '{"name": "look", "arguments": {}}',
    { ...call, actions: commands },
    'look',
    true,
    '"name": "look"',
  ],
  ['a broken call', '<tool_call>{"name": "act", "arguments": {"action": "5"}', call, '5', false, '"action": "5"}'],
  ['no call', 'five', call, 'no-action-marker', false, 'five'],
];

describe('parseResponse', () => {
  it.each(table)('reads %s', (_name, text, options, outcome, valid, marker) => {
    const parsed = parseResponse(text, options);
    expect(parsed.action === undefined ? parsed.reason : options.actions[parsed.action]).toBe(outcome);
    expect(parsed.legal).toBe(parsed.action !== undefined);
    expect(parsed.formatValid).toBe(valid);
    expect(text.slice(...parsed.spans.action).startsWith(marker)).toBe(true);
  });

  it('gives the thought of its key, or the words before the action', () => {
    expect(parseResponse('{"thoughts": "a \\"b\\"", "action": "3"}', json).thought).toBe('a "b"');
    expect(parseResponse('Because.\naction: 3', json).thought).toBe('Because.');
    expect(parseResponse('<think> why </think><action>3</action>', tags).thought).toBe('why');
    expect(parseResponse('{"name": "act", "arguments": {"thought": "why", "action": 3}}', call).thought).toBe('why');
    expect(parseResponse('nothing here', json).thought).toBe('');
  });

  it('calls a response valid only with all required keys', () => {
    const options = { ...json, requiredKeys: ['cards', 'thoughts'] };
    expect(parseResponse('{"cards": [1], "thoughts": "", "action": "3"}', options).formatValid).toBe(true);
    expect(parseResponse('{"thoughts": "", "action": "3"}', options).formatValid).toBe(false);
  });

  it('reads an action that is not available now, without calling it legal', () => {
    const parsed = parseResponse('{"action": "3"}', { ...json, isAvailable: (index) => index > 9 });
    expect(parsed).toMatchObject({ action: 2, legal: false, reason: 'unavailable-action', formatValid: true });
    expect(parsed.repairHint).toContain('exactly one of: "+", "-"');
  });

  it.each(table.filter(([, , , outcome]) => /^[a-z]+-/.test(outcome)))(
    'tells the model how to repair %s',
    (_name, text, options) => {
      const { repairHint } = parseResponse(text, options);
      expect(repairHint).toMatch(/exactly one of: "(1|go to cabinet 1)"/);
    },
  );

  it('keeps a hint short whatever was said and however many actions there are', () => {
    const actions = Array.from({ length: 10_000 }, (_, index) => `open drawer ${index}`);
    const { repairHint } = parseResponse(`{"action": "${'open sesame '.repeat(10_000)}"}`, { actions });
    expect(repairHint!.length).toBeLessThan(2000);
    expect(repairHint).toContain('10000 in all');
  });

  it('supports keys of other languages', () => {
    const text = '{"pensée": "non", "Aktion (neu)": "5"}';
    const parsed = parseResponse(text, { ...json, actionKey: 'Aktion (neu)', thoughtKeys: ['pensée'] });
    expect(parsed).toMatchObject({ action: 4, thought: 'non', formatValid: true });
  });
});

const responses = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        '{',
        '}',
        '"',
        "'",
        '\\',
        ':',
        ',',
        ' ',
        '"action"',
        'action',
        '"action":',
        '<action>',
        '</action>',
        '<think>',
        '<tool_call>',
        '</tool_call>',
        '"name"',
        '"arguments"',
        '5',
        '10',
        'x',
        '\n',
        '🂡',
        '\ud83c',
        '[',
      ),
      { maxLength: 30 },
    )
    .map((pieces) => pieces.join('')),
);
const formats = fc.constantFrom('json' as const, 'tags' as const, 'tool-call' as const);

describe('spans', () => {
  it('split every response in two: thought and action together are the response', () => {
    fc.assert(
      fc.property(responses, formats, (text, format) => {
        const { spans, thought, actionText } = parseResponse(text, { actions: cards, format });
        const [start, end] = spans.thought ?? [0, 0];
        expect(start).toBe(0);
        expect(text.slice(start, end) + text.slice(...spans.action)).toBe(text);
        expect(typeof thought + typeof actionText).toBe('stringstring');
      }),
      { numRuns: 1000 },
    );
  });

  it('split every tokenization in two, cutting at the token that reaches past the marker', () => {
    const cuts = fc.array(fc.nat(60), { maxLength: 20 });
    fc.assert(
      fc.property(responses, cuts, (text, offsets) => {
        const ends = [...offsets.map((end) => Math.min(end, text.length)), text.length].sort((a, b) => a - b);
        const parsed = parseResponse(text, json);
        const { thought, action } = tokenSpans(parsed, Int32Array.from(ends));
        expect(thought.every((inside, index) => inside + action[index]! === 1)).toBe(true);
        const first = action.indexOf(1);
        const start = parsed.spans.action[0];
        expect(ends.slice(0, first).every((end) => end <= start)).toBe(true);
        expect(ends.slice(first).every((end) => end > start || !parsed.spans.thought)).toBe(true);
      }),
    );
  });

  it('agree under tokenizers that merge the marker differently', () => {
    const text = '{"thoughts": "x", "action": "10"}';
    const parsed = parseResponse(text, json);
    const tokenizations = [
      ['{"', 'thoughts', '":', ' "x', '",', ' "', 'action', '":', ' "', '10', '"}'],
      ['{"', 'thoughts": "x", ', '"action":', ' "1', '0"}'],
      [...text],
    ];
    for (const tokens of tokenizations) {
      let end = 0;
      const ends = [...tokens.map((token) => (end += token.length)), end]; // the last is the end-of-sequence token
      const { action } = tokenSpans(parsed, ends);
      const spoken = [...tokens, ''].filter((_token, index) => action[index]).join('');
      expect(spoken.trimStart()).toBe('"action": "10"}');
      expect(action.at(-1)).toBe(1);
    }
  });

  it('make every token an action token without a marker', () => {
    const parsed = parseResponse('hit me', json);
    expect(parsed.spans.thought).toBeUndefined();
    expect([...tokenSpans(parsed, [0, 3, 6, 6]).action]).toEqual([1, 1, 1, 1]);
  });
});

describe('hostile responses', () => {
  const pieces = [
    '{',
    '"',
    "'",
    '\\',
    '[',
    '"action":',
    'action',
    'action ',
    '"a":',
    '<action>',
    '<tool_call>',
    '1 ',
    '1',
    ' ',
    '"action": "1 ',
    '</tool_call>',
    '{"name":',
  ];

  it.each(pieces)('are parsed in linear time: a megabyte of %j', (piece) => {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
    for (const format of ['json', 'tags', 'tool-call'] as const) {
      // a quadratic reader would exceed the test's time limit by hours
      expect(parseResponse(text, { actions: cards, format }).spans.action[1]).toBe(text.length);
    }
  });

  it('nested deeper than the stack are parsed', () => {
    const deep = `{"thoughts": ${'['.repeat(200_000)}${']'.repeat(200_000)}, "action": "5"}`;
    expect(parseResponse(deep, json)).toMatchObject({ action: 4 });
  });
});

describe('mapAction', () => {
  it('changes the action and nothing else', () => {
    const parsed = parseResponse('{"action": "look"}', house);
    expect(mapAction(parsed, (index) => commands[index])).toEqual({ ...parsed, action: 'look' });
    const failed = parseResponse('?', house);
    expect(mapAction(failed, (index) => commands[index])).toEqual(failed);
  });
});
