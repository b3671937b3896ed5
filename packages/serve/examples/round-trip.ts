import { make } from '@vlgym/core';
import { serve } from '@vlgym/serve';
import '@vlgym/points24';

const serving = await serve({ envs: ['vlgym/Points24-v1'] }); // any OpenEnv client can connect to serving.address
const env = await make(`openenv:${serving.address}`);
const { info } = await env.reset({ seed: 7 }); // the hand of seed 7, as without a server
const { reward } = await env.step(3);
console.log(info.Cards, reward);
await env.close();
await serving.close();
