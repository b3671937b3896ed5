/** Rates of the original MiniWorld and of ViZDoom, for `frames.ts`; each in a Python environment in the user's cache. */
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { OriginalPython } from '@vlgym/core/verification';

/** Rate by name of the world. */
export type Rates = ReadonlyMap<string, number>;

/** Measures one size; `undefined` if the program cannot run here. */
export type Measure = (size: string) => Rates | undefined;

/** The original under `xvfb-run` with Mesa's software OpenGL. */
export const miniworld = (seconds: number): Promise<Measure> =>
  measure(
    seconds,
    'the original',
    'original.py',
    ['miniworld==2.1.0', 'gymnasium==1.4.0', 'pyglet==1.5.31', 'numpy<2'],
    ['xvfb-run', '-a'],
  );

/** ViZDoom of PyPI: another world, software rendering without filtering or antialiasing. */
export const vizdoom = (seconds: number): Promise<Measure> =>
  measure(seconds, 'ViZDoom', 'vizdoom_rate.py', ['vizdoom==1.3.2'], []);

async function measure(
  seconds: number,
  what: string,
  script: string,
  requirements: readonly string[],
  display: readonly string[],
): Promise<Measure> {
  const python = new OriginalPython({ name: script === 'original.py' ? 'miniworld' : 'vizdoom', requirements });
  try {
    if (display.length > 0) execFileSync('xvfb-run', ['--help'], { stdio: 'ignore' });
    await python.setup();
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
    console.log(`${what} is skipped: ${reason}`);
    return () => undefined;
  }
  const file = fileURLToPath(new URL(script, import.meta.url));
  return (size) => {
    const [program = '', ...args] = [...display, python.interpreter ?? '', file, String(seconds), size];
    const lines = execFileSync(program, args, {
      encoding: 'utf8',
      cwd: tmpdir(),
      stdio: ['ignore', 'pipe', 'ignore'],
    }).split('\n');
    const records = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
    return new Map(records.map(({ name, rate }: { name: string; rate: number }) => [name, rate]));
  };
}
