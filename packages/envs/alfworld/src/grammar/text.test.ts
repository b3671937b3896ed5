/** The language inside the texts of a grammar; expected values come from the original. */
import { describe, expect, it } from 'vitest';
import { readExpression } from './expression.js';
import { readQuery } from './query.js';
import { readText } from './text.js';
import { readGrammarFile } from './twl2.js';

/** Words as strings, all other pieces by their kind. */
const shape = (text: string) =>
  readText(text).map((piece) => (piece.kind === 'words' ? piece.text : `<${piece.kind}>`));

describe('a text', () => {
  it.each([
    ['plain words, with: signs!', ['plain words, with: signs!']],
    ['stops; here', ['stops']],
    ['stops | here', ['stops ']],
    ['3 > 2', ['3 ']],
    ['a <tag>', ['a ']],
    ['put the "mug" in', ['put the ', 'mug', ' in']],
    ['a "b c', ['a ']],
    ['a [thing] b', ['a ']],
    ['#look.feedback#\n\n#task#', ['<symbol>', '\n\n', '<symbol>']],
    ['{o.name} of {#overview(o)# | p(o:object)}', ['<conditional>', ' of ', '<conditional>']],
    ['[{r.name | at(r:receptacle, l)}].', ['<list>', '.']],
    ['[ {r.name} ] x', []],
    ['\n\n  Help\n  look', ['Help\n  look']],
    ['// a comment\nwords', ['words']],
    ['words // no comment', ['words // no comment']],
    ['\t\tafter tabs', ['after tabs']],
    ['\\n stays', ['\\n stays']],
    ['', []],
  ])('%j is read as %j', (text, pieces) => {
    expect(shape(text)).toEqual(pieces);
  });
});

describe('an expression', () => {
  it('supports names, properties, texts, + and or', () => {
    expect(readExpression(" o.indefinite + ' ' + o ")).toEqual({
      kind: 'join',
      parts: [
        { kind: 'property', variable: 'o', property: 'indefinite' },
        { kind: 'literal', text: ' ' },
        { kind: 'property', variable: 'o', property: 'name' },
      ],
    });
    expect(readExpression('r.name or r.id')).toMatchObject({
      kind: 'or',
      parts: [{ property: 'name' }, { property: 'id' }],
    });
  });

  it.each(['', 'o +', '+ o', 'o o', 'o.upper()', "__import__('os')", 'o.__class__', 'o[0]', '1 + 1', "'open"])(
    'refuses %j',
    (written) => {
      expect(() => readExpression(written)).toThrow(expect.objectContaining({ code: 'INVALID_GRAMMAR' }));
    },
  );
});

describe('a query', () => {
  it('names predicates and placeholders; without a type, the name is the type', () => {
    expect(readQuery('In(o:object, r) & full(r)')).toEqual([
      {
        predicate: 'in',
        arguments: [
          { name: 'o', type: 'object' },
          { name: 'r', type: 'r' },
        ],
      },
      { predicate: 'full', arguments: [{ name: 'r', type: 'r' }] },
    ]);
    expect(() => readQuery('in(o & r)')).toThrow(expect.objectContaining({ code: 'INVALID_GRAMMAR' }));
  });
});

it('merges the blocks of a grammar: later symbols replace earlier ones, comments are dropped', () => {
  const { symbols, actions } = readGrammarFile(`# top
    grammar :: """ {"a": [{"rhs": "1"}], "b": [{"rhs": "2"}]} """;
    action Look { feedback :: "two
lines"; template :: "look"; grammar :: """
      # not JSON
      {"b": [{"rhs": "3", "weight": 2}]}
    """; pddl :: """ (anything) """; }`);
  expect([...symbols].map(([name, [rule]]) => [name, rule!.rhs])).toEqual([
    ['a', '1'],
    ['b', '3'],
  ]);
  expect(actions.get('look')).toEqual({ template: 'look', feedback: 'two\nlines' });
});
