#!/usr/bin/env node
/** `vlgym`: finds the command, parses its options, runs it; errors come out as three helpful lines, not as a stack. */
import { environmentSecrets, GymError, redactSecrets } from '@vlgym/core';
import { helpPage, parseOptions } from './command.js';
import { commandList, type Found, find, groupPage } from './command-group.js';
import { entries } from './commands/index.js';
import { bold, dim, red } from './terminal/style.js';
import { VERSION } from './version.js';

/** Exit codes: 0 done, 1 failed, 2 wrong usage, 130 stopped by Ctrl-C. */
const FAILED = 1;
const USAGE = 2;
const INTERRUPTED = 130;

function overview(): string {
  return [
    `${bold('vlgym')} ${VERSION}: a Gymnasium for vision-language agents`,
    '',
    ...commandList(entries),
    '',
    dim('vlgym COMMAND --help explains a command, with examples.'),
    '',
  ].join('\n');
}

const pageWidth = () => Math.min(110, process.stdout.columns ?? 100);

function helpOn(found: Found): string {
  return 'group' in found ? groupPage(found.group, pageWidth()) : helpPage(found.command, pageWidth());
}

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

async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    process.stdout.write(rest[0] === undefined ? overview() : helpOn(find(entries, rest)));
    return 0;
  }
  if (name === '--version' || name === '-v') {
    process.stdout.write(`${VERSION}\n`);
    return 0;
  }
  const found = find(entries, args);
  const options = 'group' in found ? 'help' : parseOptions(found.command, found.args);
  if ('group' in found || options === 'help') {
    process.stdout.write(helpOn(found));
    return 0;
  }
  const { signal } = interruptible();
  try {
    const code = await found.command.run(options, { signal, stdout: process.stdout, stderr: process.stderr });
    return signal.aborted && !found.command.endsWhenTold ? INTERRUPTED : (code ?? 0);
  } catch (error) {
    if (signal.aborted && error === signal.reason) return INTERRUPTED;
    throw error;
  }
}

function report(error: unknown): number {
  const say = (text: string) => process.stderr.write(`${redactSecrets(text, environmentSecrets())}\n`);
  if (GymError.isInstance(error)) {
    say(`${red(error.code)} ${error.message}`);
    if (process.env.VLGYM_DEBUG) say(String(error.stack));
    return error.code === 'USAGE' ? USAGE : FAILED;
  }
  // the system refused a file or an address: its message says which, and a stack would add nothing
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  const plain = code !== undefined && syscall !== undefined && !process.env.VLGYM_DEBUG;
  say(String(error instanceof Error ? (plain ? error.message : error.stack) : error));
  return FAILED;
}

// a reader such as `head` may close the pipe early; that is not a failure
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`${red('OUTPUT_FAILED')} The output could not be written (${error.code ?? error.message}).
  hint: make room or write elsewhere; what --record and --folder keep is complete\n`);
  process.exit(FAILED);
});
// a run goes on when nobody reads its progress any more
process.stderr.on('error', () => {});

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.exitCode = report(error);
}
