/**
 * CPU seconds until a command has answered, user and system time of the process: `npx tsx apps/cli/bench/start-up.ts`.
 *
 * Goal: `vlgym --help` below 0.25 s on the machine of docs/benchmark. `node -e 0` next to it is the part that is Node's.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../bin/vlgym.js', import.meta.url));
const RUNS = 10;

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  'node -e 0': ['-e', '0'],
  'vlgym --help': [BIN, '--help'],
  'vlgym doctor --help': [BIN, 'doctor', '--help'],
  'vlgym train --help': [BIN, 'train', '--help'],
};

function cpuSeconds(args: readonly string[]): number {
  const script = `process.on('exit', () => { const { user, system } = process.cpuUsage(); process.stderr.write(\`\\ncpu \${(user + system) / 1e6}\\n\`); })`;
  const preload = `data:text/javascript,${encodeURIComponent(script)}`;
  const { stderr } = spawnSync(process.execPath, ['--import', preload, ...args], { encoding: 'utf8' });
  return Number(/cpu ([\d.]+)\s*$/.exec(stderr)?.[1]);
}

for (const [name, args] of Object.entries(COMMANDS)) {
  const seconds = Array.from({ length: RUNS }, () => cpuSeconds(args)).sort((a, b) => a - b);
  const median = seconds[Math.floor(RUNS / 2)] ?? Number.NaN;
  process.stdout.write(
    `${name.padEnd(22)} ${median.toFixed(3)} s (least ${(seconds[0] ?? Number.NaN).toFixed(3)} s)\n`,
  );
}
