import { type ChatMessage, make } from '@vlgym/core';
import '@vlgym/alfworld';

const env = await make('vlgym/ALFWorld-v2', { options: { split: 'unseen' } });
let { observation, info } = await env.reset({ seed: 7 });
console.log(observation);

for (let done = false; !done; ) {
  const context = { observation, info, history: [] };
  const answer = await yourModel(env.dialogue!.prompt(context)); // the scene, the task and what can be done
  const { action = '' } = env.dialogue!.parse(answer, context);

  const step = await env.step(action);
  console.log(`> ${action}\n${step.observation}`, step.reward);
  done = step.terminated || step.truncated;
  ({ observation, info } = step);
}
await env.close();

/** In place of a language model: what the expert would say. */
async function yourModel(_messages: ChatMessage[]): Promise<string> {
  return env.dialogue!.demonstrate!({ observation, info, history: [] }, env.oracle!() ?? 'look');
}
