/** A command, or a group of commands, as the overview lists it. */
import type { Command } from './command.js';

export interface Entry {
  readonly name: string;
  /** Half a line for the overview; the same as in the file. */
  readonly summary: string;
  load(): Promise<Command | CommandGroup>;
}

export interface CommandGroup {
  readonly name: string;
  /** Half a line for the overview. */
  readonly summary: string;
  /** An introductory paragraph for learners. */
  readonly description: string;
  readonly verbs: readonly Command[];
}
