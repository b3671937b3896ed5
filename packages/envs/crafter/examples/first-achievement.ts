import { type ChatMessage, make } from '@vlgym/core';
import '@vlgym/crafter';

const env = await make('balrog/Crafter-v0');
let { observation, info } = await env.reset({ seed: 0 });

while (info.progression === 0) {
  const context = { observation, info, history: [] };
  const messages = env.dialogue!.prompt(context); // BALROG's instruction, what is seen, and the picture
  const answer = await yourModel(messages);
  const { action, reason } = env.dialogue!.parse(answer, context);
  if (action === undefined) throw new Error(`no action: ${reason}`);

  ({ observation, info } = await env.step(action));
}
console.log('unlocked', ...info.unlocked, 'in step', info.steps);
await env.close();

/** In place of a vision-language model: it searches the grass until it finds a sapling. */
async function yourModel(_messages: ChatMessage[]): Promise<string> {
  return 'Do';
}
