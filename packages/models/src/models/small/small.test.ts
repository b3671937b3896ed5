import { Generator, randn, tidy } from '@vlgym/gpu';
import { describe, expect, it } from 'vitest';
import { Projection } from '../../layers/projection.js';
import { createPolicy } from '../../policy/create-policy.js';

describe('the preset small', () => {
  it('has ten to twenty million weights, and an entry for each thing wherever it is named', async () => {
    const policy = await createPolicy({ preset: 'small' });
    const weights = policy.model.parameters().reduce((sum, { numel }) => sum + numel, 0);
    expect(weights).toBeGreaterThan(10e6);
    expect(weights).toBeLessThan(20e6);
    const { length: end } = policy.encodeResponse('').ids;
    expect(end).toBe(1);
    const named = (text: string) => [...policy.encodeResponse(text).ids].slice(0, -end);
    const [cabinet, twelve] = named(' cabinet 12');
    for (const text of [
      '{"action":"go to cabinet 12"}',
      'You see a bed 1, and a cabinet 12.',
      'In it, a cabinet 12, a',
    ]) {
      const ids = named(text);
      expect(ids[ids.indexOf(cabinet!) + 1]).toBe(twelve);
    }
    expect(named('You arrive at')).toHaveLength(1);
    expect(named('{"thoughts":"')).toHaveLength(1);
    // no two characters of a code are one entry
    expect(named('click[B0DDOEI5XA]')).toHaveLength(1 + '[B0DDOEI5XA]'.length);
    const [, ten] = named('[10');
    for (const text of ['[8, 10]', '10-8=2:', '(7+5)*10=']) expect(named(text)).toContain(ten);
    expect(policy.encodeResponse('🂡 "24"').tokenEnds.at(-1)).toBe('🂡 "24"'.length);
    policy.close();
  });
});

describe('products in bfloat16', () => {
  it('stay close to those in float32, in value and gradient, and keep the dtype', () => {
    tidy(() => {
      const generator = new Generator(3);
      const layer = new Projection(64, 32, { std: 0.1, generator, dtype: 'float32', device: 'cpu', bias: true });
      const x = randn([8, 64], { generator });
      const run = (inBfloat16: boolean) => {
        layer.inBfloat16 = inBfloat16;
        layer.weight.grad = null;
        const y = layer.forward(x);
        y.square().sum().backward();
        return { dtype: y.dtype, y: y.toNumbers(), gradient: layer.weight.grad!.toNumbers() };
      };
      const [exact, rounded] = [run(false), run(true)];
      expect(rounded.dtype).toBe('float32');
      expect(rounded.y).not.toEqual(exact.y);
      for (const key of ['y', 'gradient'] as const) {
        const size = Math.max(...exact[key].map(Math.abs));
        const difference = Math.max(...exact[key].map((value, i) => Math.abs(value - rounded[key][i]!)));
        expect(difference / size).toBeLessThan(0.02);
      }
    });
  });
});
