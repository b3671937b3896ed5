import { createAlfworld } from '@vlgym/alfworld';

const env = await createAlfworld({ observation: 'image', dialogue: 'gtr-v1' });
let { observation, info } = env.reset({ seed: 7 }); // { data, height: 300, width: 300, channels: 3 }
for (let done = false; !done; ) {
  const messages = env.dialogue.prompt({ observation, info, history: [] }); // the picture, the task, what can be done
  const action = env.oracle() ?? 'look'; // in place of what a model answers to the messages
  console.log(`${messages.length} message with ${observation.width} x ${observation.height} pixels: ${action}`);
  const step = env.step(action);
  done = step.terminated || step.truncated;
  ({ observation, info } = step);
}
await env.close();
