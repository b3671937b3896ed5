/**
 * A training run in a process of its own: `tsx algos-resume-child.ts <preset> <folder> <updates> [<signal> <line> <times>]`.
 * Says what `trainResumable` says, and `done` at the end. Sends itself the signal as soon as it has printed the line that
 * often: one from outside could come too late.
 */
import { trainResumable } from './algos-resume-run.js';

const [preset, folder, updates, signal, last, times] = process.argv.slice(2) as [string, string, string, ...string[]];

let left = Number(times);
function say(line: string): void {
  process.stdout.write(`${line}\n`);
  if (line !== last) return;
  left -= 1;
  if (left === 0) process.kill(process.pid, signal as NodeJS.Signals);
}

await trainResumable(preset, folder, Number(updates), say);
say('done');
