/**
 * One game alone, with pictures: milliseconds per step, and seconds of its clock per second, by the clock on the wall and by the
 * time of all processors that this process and its browser used (Linux): `npx tsx bench/speed.ts`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { ArcadeEnv, CATCH } from '@vlgym/arcade';

/** Ticks of a processor per second that Linux counts in. */
const TICKS = 100;

/** Seconds of processor time of this process and all below it. */
function processorTime(): number {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return [{ pid: Number(name), parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }];
      } catch {
        return []; // it ended
      }
    });
  const below = (pid: number): number =>
    processes.filter(({ parent }) => parent === pid).reduce((sum, child) => sum + child.ticks + below(child.pid), 0);
  const own = processes.find(({ pid }) => pid === process.pid)?.ticks ?? 0;
  return (own + below(process.pid)) / TICKS;
}

for (const framesPerStep of [2, 6, 12]) {
  const env = new ArcadeEnv(CATCH, { framesPerStep });
  await env.reset({ seed: 0 });
  await env.step(0);
  const [started, used] = [performance.now(), processorTime()];
  let [time, steps] = [0, 0];
  while (steps < 400) {
    const { info, terminated, truncated } = await env.step(env.oracle() ?? 0);
    steps += 1;
    if (!terminated && !truncated && steps < 400) continue;
    time += info.time / 1000;
    if (steps < 400) await env.reset();
  }
  const seconds = (performance.now() - started) / 1000;
  const speeds = [time / seconds, time / (processorTime() - used)].map((speed) => speed.toFixed(1));
  console.log(
    `${framesPerStep} frames a step: ${((1000 * seconds) / steps).toFixed(2)} ms a step, ${speeds[0]} x real time, ${speeds[1]} x by processor time`,
  );
  await env.close();
}
