import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { assertNode } from './node-version.js';

it.each(['18.20.8', '20.18.3', '16.0.0'])('Node %s is refused with the version that is needed', (version) => {
  expect(() => assertNode(version)).toThrow(
    expect.objectContaining({
      code: 'NODE_TOO_OLD',
      value: version,
      message: expect.stringContaining('needs Node 20.19'),
    }),
  );
});

it.each(['20.19.0', '21.0.0', '22.1.0', '24.0.0'])('%s is taken', (version) => {
  expect(() => assertNode(version)).not.toThrow();
});

it('says the version of package.json', () => {
  const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  expect(engines.node).toBe('>=20.19');
});
