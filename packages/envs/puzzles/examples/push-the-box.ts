import { type ChatMessage, make } from '@vlgym/core';
import '@vlgym/puzzles';

const env = await make('vagen/Sokoban-v0', { options: { observation: 'image' } });
let { observation, info } = await env.reset({ seed: 2 });

for (let done = false; !done; ) {
  const context = { observation, info, history: [] };
  const messages = env.dialogue!.prompt(context); // VAGEN's instruction and the picture
  const answer = await yourModel(messages);
  const { action, reason } = env.dialogue!.parse(answer, context); // up to three moves
  if (action === undefined) throw new Error(`no action: ${reason}`);

  const step = await env.step(action);
  console.log(answer, step.reward);
  done = step.terminated || step.truncated;
  ({ observation, info } = step);
}
await env.close();

/** In place of a vision-language model: what the expert would say. */
async function yourModel(_messages: ChatMessage[]): Promise<string> {
  return env.dialogue!.demonstrate!({ observation, info, history: [] }, env.oracle!() ?? [0]);
}
