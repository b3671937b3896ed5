import { expect, it } from 'vitest';
import { collected } from '../../../../../test/support/collected.js';
import { createAlfworld } from '../env/alfworld.js';

it('holds no more memory after hundreds of households, in a loop that never yields', async () => {
  const env = await createAlfworld({ observation: 'image', obsWidth: 16, obsHeight: 16 });
  const play = (first: number, last: number) => {
    for (let seed = first; seed < last; seed += 1) env.reset({ seed });
    return collected();
  };
  const [before, after] = [play(0, 150), play(150, 450)];
  // 47 kB for the floor of each household would be 14 MB
  expect(after.external - before.external).toBeLessThan(4e6);
  expect(after.heapUsed - before.heapUsed).toBeLessThan(6e6);
  await env.close();
}, 120_000);
