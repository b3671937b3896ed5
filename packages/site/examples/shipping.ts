import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SiteEnv } from '@vlgym/site';

// the site: yours, in the place of this page with one link
const page = '<title>Lamps</title><a href="/shipping">Shipping</a>';
const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(page));
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
const { port } = server.address() as AddressInfo;

const env = new SiteEnv([
  {
    instruction: 'Find the page about shipping.',
    start: `http://127.0.0.1:${port}/`,
    judge: ({ observation, answer }) => {
      const found = observation.url.endsWith('/shipping');
      return { reward: found ? 1 : 0, done: found || answer !== undefined };
    },
  },
]);

const { observation } = await env.reset({ seed: 1 });
console.log(observation.elements.map(({ mark, role, name }) => `${mark} ${role} ${name}`)); // [ '1 link Shipping' ]
const { reward, terminated } = await env.step('mark[1]');
console.log(reward, terminated); // 1 true
await env.close();
server.close();
