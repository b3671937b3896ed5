import { type ChatMessage, make } from '@vlgym/core';
import '@vlgym/webshop';

const env = await make('vlgym/WebShop-v1', { options: { catalog: { products: 300, seed: 1 } } });
let { observation, info } = await env.reset({ seed: 7 });
console.log(info.instruction);

for (let done = false; !done; ) {
  const context = { observation, info, history: [] };
  const messages = env.dialogue!.prompt(context); // the page and what can be done on it
  const answer = await yourModel(messages);
  const { action, reason } = env.dialogue!.parse(answer, context);
  if (action === undefined) throw new Error(`no action: ${reason}`);

  const step = await env.step(action);
  console.log(action, step.reward);
  done = step.terminated || step.truncated;
  ({ observation, info } = step);
}
console.log(info.rewardParts);
await env.close();

/** In place of a language model: what the expert would say. */
async function yourModel(_messages: ChatMessage[]): Promise<string> {
  return env.dialogue!.demonstrate!({ observation, info, history: [] }, env.oracle!() ?? 'click[buy now]');
}
