/** Every command, in the order of the overview. */
import type { Command } from '../command.js';
import { type CommandGroup, isGroup } from '../command-group.js';
import { alfworld } from './alfworld.js';
import { bench } from './bench.js';
import { doctor } from './doctor.js';
import { envs } from './envs.js';
import { evalCommand } from './eval.js';
import { play } from './play.js';
import { quickstart } from './quickstart.js';
import { replayCommand } from './replay.js';
import { rollout } from './rollout.js';
import { setupCommand } from './setup.js';
import { status } from './status.js';
import { train } from './train.js';
import { webshop } from './webshop.js';
import { worker } from './worker.js';

/** Commands, and groups of them. */
export const entries = [
  quickstart,
  train,
  evalCommand,
  bench,
  play,
  envs,
  replayCommand,
  rollout,
  worker,
  status,
  setupCommand,
  doctor,
  alfworld,
  webshop,
] as readonly (Command | CommandGroup)[];

/** Each command by itself, those of groups among them. */
export const commands: readonly Command[] = entries.flatMap((entry) => (isGroup(entry) ? entry.verbs : [entry]));
