import { MiniWoBEnv, setupPages } from '@vlgym/miniwob';

const problem = await setupPages().catch((error: Error) => error.message); // once: pip fetches the pages, 2 MB
if (typeof problem === 'string') {
  console.log(problem);
  process.exit();
}

const env = new MiniWoBEnv({ task: 'login-user' });
let { observation, info } = await env.reset({ seed: 7 }); // as `env.reset(seed=7)` of miniwob/login-user-v1
console.log(info.instruction);

for (let over = false; !over; ) {
  console.log(observation.accessibility); // [1] textbox "" …
  const action = env.oracle() ?? 'noop()'; // or what your model says to env.dialogue.prompt(…)
  const step = await env.step(action);
  console.log(action, step.reward);
  over = step.terminated || step.truncated;
  ({ observation, info } = step);
}
await env.close();
