import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { rl4vlmCardAction, rl4vlmCommand } from './published-rules.js';

interface GoldenCase {
  readonly name: string;
  readonly params: { readonly actions?: string[]; readonly admissible?: string[] };
  readonly inputs: { readonly text: string };
  readonly expected: Readonly<Record<string, number | string | null>>;
}

const golden = JSON.parse(
  readFileSync(new URL('../../../../test/golden/algos/action_parsing.json', import.meta.url), 'utf8'),
) as { readonly cases: GoldenCase[] };
const cardCases = golden.cases.filter(({ params }) => params.actions);
const commandCases = golden.cases.filter(({ params }) => params.admissible);

describe('the published rules', () => {
  it('cover every golden case', () => {
    expect([cardCases.length, commandCases.length]).toEqual([29, 8]);
  });

  it.each(cardCases)('read $name as the reference does', ({ params, inputs, expected }) => {
    const read = (missingMarker: 'last-character' | 'nothing') =>
      rl4vlmCardAction(inputs.text, params.actions!, { missingMarker }) ?? null;
    expect({
      index_missing_marker_uses_last_character: read('last-character'),
      index_missing_marker_is_random: read('nothing'),
    }).toEqual(expected);
  });

  it.each(commandCases)('read $name as the reference does', ({ params, inputs, expected }) => {
    const read = (match: 'first-in-list' | 'longest') =>
      params.admissible![rl4vlmCommand(inputs.text, params.admissible!, { match }) ?? -1] ?? null;
    expect({ first_in_list_substring: read('first-in-list'), longest_substring: read('longest') }).toEqual(expected);
  });

  it('count characters as Python does', () => {
    expect(rl4vlmCardAction('🂡', ['🂡'])).toBe(0);
    expect(rl4vlmCommand(`look${'🂡'.repeat(26)}`, ['look'])).toBe(0);
    expect(rl4vlmCommand(`look${'🂡'.repeat(27)}`, ['look'])).toBeUndefined();
  });
});
