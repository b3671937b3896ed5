/** `evaluate` leaves a given environment open for the caller; one that nobody closes lets the process end. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { installedChromium } from '@vlgym/chromium';
import { expect, it, vi } from 'vitest';
import { pythonEnvironment } from './support/python-environment.js';
import { ROOT } from './support/workspaces.js';

vi.setConfig({ testTimeout: 300_000 });

const { python, reason } = pythonEnvironment(['gymnasium[classic-control,toy-text]==1.4.0']);
const run = promisify(execFile);

const evaluated = (script: string, environment: NodeJS.ProcessEnv = {}) =>
  run(process.execPath, ['--input-type=module', '-e', script], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    timeout: 120_000,
    killSignal: 'SIGKILL',
  });

const EVALUATE = `
const { counted } = await evaluate({ env, agent: randomAgent(), episodes: 2, maxSteps: 3 });
console.log('counted', counted);
`;

const chromium = installedChromium();

it.skipIf(!chromium)('a site in a browser', async () => {
  const { stdout } = await evaluated(`
    import { createServer } from 'node:http';
    import { evaluate, randomAgent } from '@vlgym/agents';
    import { SiteEnv } from '@vlgym/site';
    const page = '<title>x</title><a href="/imprint">imprint</a>';
    const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(page));
    await new Promise((done) => server.listen(0, '127.0.0.1', done));
    server.unref();
    const start = \`http://127.0.0.1:\${server.address().port}/\`;
    const env = new SiteEnv([{ instruction: 'Open it.', start, judge: () => ({ reward: 0, done: false }) }]);
    ${EVALUATE}`);
  expect(stdout).toContain('counted 2');
});

it.skipIf(!chromium)('the shop in a browser', async () => {
  const { stdout } = await evaluated(`
    import { evaluate, randomAgent } from '@vlgym/agents';
    import { make } from '@vlgym/core';
    import '@vlgym/webshop/browser';
    const env = await make('vlgym/WebShopBrowser-v1');
    ${EVALUATE}`);
  expect(stdout).toContain('counted 2');
});

it.skipIf(!python)(`an environment of Gymnasium ${reason}`, async () => {
  const script = `
    import { evaluate, randomAgent } from '@vlgym/agents';
    import { make } from '@vlgym/core';
    import '@vlgym/gymnasium';
    const env = await make('gymnasium:CartPole-v1');
    ${EVALUATE}`;
  expect((await evaluated(script, { VLGYM_PYTHON: python })).stdout).toContain('counted 2');
});
