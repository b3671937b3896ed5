import '../../environments.js';
import { expect, it } from 'vitest';
import { toObject } from '../../command-line/option-values.js';
import { envOptionsOf } from './scoped-env-options.js';

const [LINE, CARDS] = ['vlgym/NumberLine-v1', 'vlgym/EZPoints-v1'];

it.each([
  ['nothing', undefined, undefined, undefined],
  ['options for all', { observation: 'text' }, { observation: 'text' }, { observation: 'text' }],
  ['options for one, by a short name', { 'NumberLine:maxPosition': 10 }, { maxPosition: 10 }, undefined],
  [
    'both, those for one ahead, by an id',
    { observation: 'text', size: { height: 84 }, [`${CARDS}:observation`]: 'image', [`${CARDS}:size`]: { width: 112 } },
    { observation: 'text', size: { height: 84 } },
    { observation: 'image', size: { height: 84, width: 112 } },
  ],
  ['an object with dots', toObject('envOptions', 'NumberLine:size.height=84'), { size: { height: 84 } }, undefined],
])('%s', (_, given, line, cards) => {
  const optionsOf = envOptionsOf([LINE, CARDS], given);
  expect([optionsOf(LINE), optionsOf(CARDS)]).toEqual([line, cards]);
});

it('refuses options for an environment that does not take part', () => {
  const given = { 'Blackjack:observation': 'text' };
  expect(() => envOptionsOf([LINE, CARDS], given)).toThrow(/"Blackjack", which neither trains nor judges/);
});
