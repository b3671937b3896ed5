/** Two environments in worker threads. */
import { makeVec } from '@vlgym/core';
import '@vlgym/points24';

const envs = await makeVec('gym_cards/NumberLine-v0', { numEnvs: 2, workers: 2, vectorization: 'worker' });
const { observations } = await envs.reset({ seed: 7 });
const { rewards } = await envs.step([0, 1]);
console.log(observations.length, rewards.length);
await envs.close();
