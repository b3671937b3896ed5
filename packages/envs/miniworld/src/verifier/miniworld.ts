/**
 * `vlgym verify miniworld`: fresh episodes in all worlds, the same seeds and actions in MiniWorld 2.1.0.
 *
 * Compares the generator, the agent, every entity, rewards and ends, and with a display (`xvfb-run` is enough) the first
 * and the last view: depth, and colors with the original's own textures. Without a display the views are left out, and the
 * report says so.
 */
import { spawnSync } from 'node:child_process';
import { Generator } from '@vlgym/core';
import type { Verification, VerificationExtent, VerificationReport } from '@vlgym/core/registry';
import { OriginalProcess, OriginalPython, scriptBeside } from '@vlgym/core/verification';
import { compareEpisode, newTally } from './compare-episode.js';
import { drawEpisode } from './draw-episode.js';
import { playedSchema } from './protocol.js';

/** Radii equal those of NumPy 1; with NumPy 2 the original's differ by up to 1e-6. */
const python = new OriginalPython({
  name: 'miniworld',
  requirements: ['miniworld==2.1.0', 'gymnasium==1.4.0', 'pyglet==1.5.31', 'numpy<2'],
  variable: 'VLGYM_MINIWORLD_PYTHON',
});

export const miniworld: Verification = {
  missing: () => (python.interpreter === undefined ? "the original's Python" : undefined),
  setup: (options) => python.setup(options),
  compare,
};

async function compare({ episodes, seed, signal }: VerificationExtent): Promise<VerificationReport> {
  const interpreter = python.interpreter!;
  const display = displayCommand();
  const script = scriptBeside(import.meta.url, 'original.py');
  const assets = display && assetsOf(interpreter);
  const original = new OriginalProcess({
    command: display ? [...display, interpreter, script, 'pictures'] : [interpreter, script],
  });
  const tally = newTally(display !== undefined);
  try {
    for (let episode = 0; episode < episodes && !signal?.aborted; episode += 1) {
      const drawn = drawEpisode(episode, seed + episode, new Generator(seed + episode), assets);
      const { id, kwargs, actions } = drawn;
      const theirs = playedSchema.parse(await original.ask({ id, kwargs, seed: seed + episode, actions }));
      compareEpisode(tally, drawn, theirs);
    }
  } finally {
    await original.close();
  }
  const notes = display
    ? []
    : ['views were not compared: neither a display nor xvfb-run is here (Debian: xvfb, libgl1, libglu1-mesa)'];
  return { agreements: tally.agreements, notes };
}

/** How to run a program with a display; `undefined` if there is none. */
function displayCommand(): readonly string[] | undefined {
  if (process.env.DISPLAY) return [];
  return spawnSync('xvfb-run', ['--help'], { stdio: 'ignore' }).status === 0 ? ['xvfb-run', '-a'] : undefined;
}

/** The folder of the installed package, with its pictures. */
function assetsOf(interpreter: string): string {
  const code = 'import importlib.util as u; print(u.find_spec("miniworld").submodule_search_locations[0])';
  const { stdout } = spawnSync(interpreter, ['-c', code], { encoding: 'utf8' });
  return stdout.trim();
}
