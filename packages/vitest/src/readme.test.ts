import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { sequentialRate } from '../../agents/src/statistics/index.js';

const here = (path: string) => readFile(new URL(`../${path}`, import.meta.url), 'utf8');

it('the example of the README is the file', async () => {
  expect(await here('README.md')).toContain(`\`\`\`ts\n${await here('examples/agent.test.ts')}\`\`\``);
});

it('the figures of the README are those of the test', async () => {
  const readme = (await here('README.md')).replace(/\s+/g, ' ');
  const test = sequentialRate({ rate: 0.8, episodes: 40 });
  const needed = (rate: number) => Math.round(test.expect(rate).episodes);
  expect(readme).toContain(`with \`rate: 0.8\` and 40 episodes, ${(100 * test.detects).toFixed(1)} %`);
  expect(readme).toContain(`An agent at 90 % needs ${needed(0.9)} of 40 episodes on average`);
  expect(readme).toContain(`one at 100 % needs ${needed(1)}, one at 40 % fails after ${needed(0.4)}`);
});
