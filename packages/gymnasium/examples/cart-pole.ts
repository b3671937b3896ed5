import { GymError, make } from '@vlgym/core';
import '@vlgym/gymnasium';

try {
  const env = await make('gymnasium:CartPole-v1');
  await env.reset({ seed: 7 }); // the episode of seed 7 in Python, number by number
  env.actionSpace.seed(7);
  let steps = 0;
  for (let ended = false; !ended; steps += 1) {
    const { terminated, truncated } = await env.step(env.actionSpace.sample());
    ended = terminated || truncated;
  }
  console.log(`a random policy balances the pole for ${steps} steps`);
  await env.close();
} catch (error) {
  if (!GymError.isInstance(error) || error.code !== 'GYMNASIUM_MISSING') throw error;
  console.log(error.hint); // how to install gymnasium for the Python in use
}
