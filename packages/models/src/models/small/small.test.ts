import type { ChatMessage } from '@vlgym/core';
import { Generator, randn, tidy } from '@vlgym/gpu';
import { describe, expect, it } from 'vitest';
import { labeled } from '../../../scripts/small/batches.js';
import { allTriples, judgment, searchFor24 } from '../../../scripts/small/points24-search.js';
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
    expect(named('{"action":"')).toHaveLength(1);
    const [, ten] = named('[10');
    for (const text of ['[8, 10]', '10-8=2:', '(7+5)*10=']) expect(named(text)).toContain(ten);
    expect(policy.encodeResponse('🂡 "24"').tokenEnds.at(-1)).toBe('🂡 "24"'.length);
    policy.close();
  });
});

describe('a conversation as an example', () => {
  const messages: readonly ChatMessage[] = [
    { role: 'system', content: 'Act.' },
    { role: 'user', content: 'You see a desk 1.' },
    { role: 'assistant', content: '{"action":"go to desk 1"}' },
    { role: 'user', content: 'Nothing happens.' },
    { role: 'assistant', content: '{"action":"look"}' },
    { role: 'user', content: 'You see a desk 1.' },
  ];
  const response = '{"action":"take pen 2 from desk 1"}';

  it.each<[string, number[], { labels?: [] }, string[]]>([
    ['every answer', [2, 4], {}, ['{"action":"go to desk 1"}', '{"action":"look"}', response]],
    ['the second and the third', [4], {}, ['{"action":"look"}', response]],
    ['the first alone', [2], { labels: [] }, ['{"action":"go to desk 1"}']],
    ['the last alone', [], {}, [response]],
  ])('has labels on %s, and the tokens of its prompt', async (_, answers, last, expected) => {
    const policy = await createPolicy({ preset: 'small' });
    const { input, responseIds, labelMask } = labeled(policy, { messages, response, answers, ...last });
    const labels = [...responseIds].filter((_, place) => labelMask[place] === 1);
    expect(labels).toEqual(expected.flatMap((text) => [...policy.encodeResponse(text).ids]));
    const whole = [...policy.encode(messages).promptIds, ...policy.encodeResponse(response).ids];
    expect([...input.promptIds, ...responseIds]).toEqual(whole);
    // what is sampled from has the prompt of training before it
    const first = answers[0] ?? messages.length;
    expect([...input.promptIds]).toEqual([...policy.encode(messages.slice(0, first)).promptIds]);
    // mistakes alone are no labels where the observations are
    const observed = labeled(policy, { messages, response, answers, ...last }, true);
    const left = [...observed.responseIds].filter((_, place) => observed.labelMask[place] === 0);
    const said = messages.slice(first).filter(({ role }) => role === 'assistant');
    const mistakes = [...said.map(({ content }) => String(content)), response].filter(
      (text) => !expected.includes(text),
    );
    expect(left).toEqual(mistakes.flatMap((text) => [...policy.encodeResponse(text).ids]));
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

describe('the written search for 24', () => {
  const hands: number[][] = [];
  for (let a = 1; a <= 10; a += 1)
    for (let b = a; b <= 10; b += 1)
      for (let c = b; c <= 10; c += 1) for (let d = c; d <= 10; d += 1) hands.push([a, b, c, d]);
  const found = hands.flatMap((hand) => {
    const search = searchFor24(hand);
    return search ? [{ hand, ...search }] : [];
  });

  it('finds a formula for 556 of the 715 hands', () => expect(found).toHaveLength(556));

  it('finds formulas that use the hand and are 24, in at most 19 entries', () => {
    for (const { hand, formula } of found) {
      const numbers = formula.filter((entry) => /\d/.test(entry)).map(Number);
      expect(numbers.sort((x, y) => x - y)).toEqual(hand);
      expect(resultOf(formula)).toBe(24);
      expect(formula.length).toBeLessThan(20);
    }
  });

  it('ends with that formula, after every pair that it tried before', () => {
    const { trace, verdicts } = searchFor24([10, 7, 8, 5])!;
    expect(trace).toBe(
      '10,8,7,5:10-7=3:8,5,3;10+7=17:17,8,5;10*7=70:70,8,5;10-5=5:8,7,5;8-7=1:10,5,1;8*7=56:56,10,5;' +
        '10-8=2:7,5,2!7+5=12,2!12*2=24=(7+5)*2=(7+5)*(10-8)',
    );
    expect(verdicts.map(({ place }) => trace[place])).toEqual([';', ';', ';', ';', ';', ';', '!']);
    expect(verdicts.at(-1)!.values).toEqual([7, 5, 2]);
    for (const { hand, trace, formula } of found) {
      expect(trace.endsWith(`=${formula.join('')}`), hand.join()).toBe(true);
    }
  });

  it('goes on from three numbers as from four', () => {
    expect(judgment([8, 5, 3])).toEqual({ given: '8,5,3', verdict: ';' });
    expect(judgment([7, 5, 2])).toEqual({ given: '7,5,2', verdict: '!7+5=12,2!12*2=24=(7+5)*2' });
  });

  it('judges three numbers as often as they occur', () => {
    const { solvable, hopeless, keys } = allTriples();
    expect([solvable.length, hopeless.length, keys.size]).toEqual([393, 1862, 2255]);
    for (const { hand } of found) {
      for (const { values } of searchFor24(hand)!.verdicts) expect(keys).toContain(values.join());
    }
  });
});

/** By recursive descent; formulas here have whole numbers and binary operators. */
function resultOf(formula: readonly string[]): number {
  let place = 0;
  const factor = (): number => {
    const entry = formula[place++]!;
    if (entry !== '(') return Number(entry);
    const inner = sum();
    place += 1;
    return inner;
  };
  const product = (): number => {
    let value = factor();
    while (formula[place] === '*' || formula[place] === '/') {
      value = formula[place++] === '*' ? value * factor() : value / factor();
    }
    return value;
  };
  const sum = (): number => {
    let value = product();
    while (formula[place] === '+' || formula[place] === '-') {
      value = formula[place++] === '+' ? value + product() : value - product();
    }
    return value;
  };
  return sum();
}
