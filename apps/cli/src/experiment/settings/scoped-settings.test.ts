import { describe, expect, it } from 'vitest';
import { toObject } from '../../command-line/option-values.js';
import { variantOf } from '../algorithms.js';
import { checkScopes, settingsFor } from './scoped-settings.js';

const loss = (clipHigh: number) => ({ loss: { clipHigh } });

describe('names of variants with dots', () => {
  const all = ['vl-dac', 'vl-dac:clip0.1', 'vl-dac:clip0.3', 'vl-dac:clip0'];
  const set = {
    'vl-dac:clip0': {
      1: loss(0.1), // as `--set vl-dac:clip0.1.loss.clipHigh=0.1` is read
      3: loss(0.3),
      ...loss(0),
    },
    loss: { clipLow: 0.2 },
  };

  it('are read from the command line as from files', () => {
    expect(variantOf('vl-dac:clip0.1')).toEqual(['vl-dac', 'clip0.1']);
    expect(toObject('set', 'vl-dac:clip0.1.loss.clipHigh=0.1')).toEqual({ 'vl-dac:clip0': { 1: loss(0.1) } });
    expect(toObject('set', JSON.stringify({ 'vl-dac:clip0.1': loss(0.1) }))).toEqual({
      'vl-dac:clip0': { 1: loss(0.1) },
    });
  });

  it.each([
    ['vl-dac', { clipLow: 0.2 }],
    ['vl-dac:clip0.1', { clipLow: 0.2, clipHigh: 0.1 }],
    ['vl-dac:clip0.3', { clipLow: 0.2, clipHigh: 0.3 }],
    ['vl-dac:clip0', { clipLow: 0.2, clipHigh: 0 }],
  ])('%s gets what is meant for it, and no other', (name, expected) => {
    expect(settingsFor(name, set, all)).toEqual({ loss: expected });
  });

  it('are checked as all others are', () => {
    expect(() => checkScopes(all, set)).not.toThrow();
    const twice = ['vl-dac', 'vl-dac:clip0.1', 'vl-dac:clip0.3'];
    expect(() => checkScopes(twice, set)).toThrow(/settings for "vl-dac:clip0", which does not run/);
    expect(() => checkScopes(['vl-dac:clip0.5'], {})).toThrow(/variant "vl-dac:clip0.5" has no settings/);
  });
});
