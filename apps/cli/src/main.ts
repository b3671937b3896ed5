/** Finds the command, parses its options, runs it; errors come out as three helpful lines, not as a stack. */
import { environmentSecrets, FileWriteError, GymError, redactSecrets } from '@vlgym/core';
import { forCommandLine } from './command-line/cli-hints.js';
import { checkedOptions, helpPage, keysOf, parseArguments } from './command-line/command.js';
import { allCommands, find, groupPage } from './command-line/command-group.js';
import { FAILED, INTERRUPTED, RANK_LOST, USAGE } from './command-line/exit-codes.js';
import { entries } from './commands/index.js';
import { red } from './terminal/style.js';

const pageWidth = () => Math.min(110, process.stdout.columns ?? 100);

/** The first Ctrl-C asks for an orderly stop, the second one exits at once. */
function interruptible(): AbortController {
  const controller = new AbortController();
  process.on('SIGINT', () => {
    if (controller.signal.aborted) process.exit(INTERRUPTED);
    process.stderr.write('\nstopping after this step and saving; Ctrl-C again leaves at once\n');
    controller.abort(new DOMException('stopped by Ctrl-C', 'AbortError'));
  });
  process.on('SIGTERM', () => controller.abort(new DOMException('stopped by SIGTERM', 'AbortError')));
  return controller;
}

/** Options of the command that runs: errors name them as flags. */
let optionKeys: readonly string[] = [];

/** @returns the exit code. */
async function run(args: readonly string[]): Promise<number> {
  const [first, ...rest] = args;
  const asksForHelp = first === 'help';
  const found = await find(entries, asksForHelp ? rest : args);
  if ('group' in found) {
    process.stdout.write(groupPage(found.group, pageWidth()));
    return 0;
  }
  optionKeys = keysOf(found.command);
  const typed = parseArguments(found.command, found.args);
  if (asksForHelp || typed.asksForHelp) {
    process.stdout.write(await helpPage(found.command, pageWidth(), typed));
    return 0;
  }
  const options = checkedOptions(found.command, typed);
  const { signal } = interruptible();
  try {
    const code = await found.command.run(options, {
      signal,
      stdout: process.stdout,
      stderr: process.stderr,
      given: typed.given,
      ...(typed.isHandedOn && { isHandedOn: true }),
      commands: () => allCommands(entries),
    });
    return signal.aborted && !found.command.endsWhenTold ? INTERRUPTED : (code ?? 0);
  } catch (error) {
    if (signal.aborted && error === signal.reason) return INTERRUPTED;
    throw error;
  }
}

function report(error: unknown): number {
  const say = (text: string) => process.stderr.write(`${redactSecrets(text, environmentSecrets())}\n`);
  if (GymError.isInstance(error)) {
    say(`${red(error.code)} ${forCommandLine(error, optionKeys)}`);
    if (process.env.VLGYM_DEBUG) say(String(error.stack));
    if (error.code === 'PROCESS_GROUP_FAILED') return RANK_LOST;
    return error.code === 'USAGE' ? USAGE : FAILED;
  }
  const { code, syscall, path } = (error ?? {}) as NodeJS.ErrnoException;
  if (path !== undefined && (syscall === 'mkdir' || syscall === 'rename'))
    return report(new FileWriteError(path, error));
  // the system refused a file or an address: its message says which, and a stack would add nothing
  const plain = code !== undefined && syscall !== undefined && !process.env.VLGYM_DEBUG;
  say(String(error instanceof Error ? (plain ? error.message : error.stack) : error));
  return FAILED;
}

/** @returns the exit code; never throws. */
export async function main(args: readonly string[]): Promise<number> {
  // a reader such as `head` may close the pipe early; that is not a failure
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`${red('OUTPUT_FAILED')} The output could not be written (${error.code ?? error.message}).
  hint: make room or write elsewhere; what --record and --folder keep is complete\n`);
    process.exit(FAILED);
  });
  // a run continues when nobody reads its progress
  process.stderr.on('error', () => {});
  return run(args).catch(report);
}
