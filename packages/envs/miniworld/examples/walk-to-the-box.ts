import { make, type RgbImage } from '@vlgym/core';
import '@vlgym/miniworld';

const env = await make('MiniWorld-FourRooms-v0', { options: { obsWidth: 160, obsHeight: 120 } });
const { observation } = await env.reset({ seed: 7 });
const { width, height } = observation as RgbImage;
console.log(`a picture of ${width} x ${height} pixels`);

for (let over = false; !over; ) {
  const action = env.oracle!(); // in place of your agent
  if (action === undefined) throw new Error('no path to the box');
  const { reward, terminated, truncated } = await env.step(action);
  over = terminated || truncated;
  if (over) console.log(`reward ${reward.toFixed(3)}`);
}
await env.close();
