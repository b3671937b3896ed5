import { Generator } from '@vlgym/core';
import { createPolicy, loadPolicy } from '@vlgym/models';

const policy = await createPolicy({ preset: 'tiny', seed: 1 }); // or { train: { lora: { r: 8, alpha: 16 } } }
const input = policy.encode([{ role: 'user', content: 'What is 3 + 4?' }]);
const [answer] = await policy.sample([input], { rng: [new Generator(7)], maxNewTokens: 16 });
console.log(answer!.text, answer!.logProbs, answer!.value);

await policy.save('checkpoints/first');
const same = await loadPolicy('checkpoints/first');
console.log(same.version);
