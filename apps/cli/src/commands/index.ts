/** Every command, in the order of the overview. */
import { closest } from '@vlgym/core';
import { type Command, UsageError } from '../command.js';
import { bench } from './bench.js';
import { doctor } from './doctor.js';
import { evalCommand } from './eval.js';
import { play } from './play.js';
import { quickstart } from './quickstart.js';
import { replayCommand } from './replay.js';
import { setupCommand } from './setup.js';
import { train } from './train.js';

export const commands = [
  quickstart,
  train,
  evalCommand,
  bench,
  play,
  replayCommand,
  setupCommand,
  doctor,
] as readonly Command[];

/** @throws {UsageError} There is no such command; the hint names the nearest one. */
export function findCommand(name: string): Command {
  const command = commands.find((each) => each.name === name);
  if (command) return command;
  const near = closest(
    name,
    commands.map((each) => each.name),
  );
  throw new UsageError(`There is no command "${name}".`, {
    hint: near ? `did you mean "${near}"?` : 'vlgym --help lists them',
  });
}
