#!/usr/bin/env node
/** `vlgym`: the overview and the version at once; everything else is loaded when it is needed. */
import { entries } from './commands/index.js';
import { commandList } from './terminal/command-list.js';
import { bold, dim } from './terminal/style.js';
import { VERSION } from './version.js';

const args = process.argv.slice(2);
const [first, second] = args;

if (first === undefined || first === '--help' || first === '-h' || (first === 'help' && second === undefined)) {
  write(
    [
      `${bold('vlgym')} ${VERSION}: a Gymnasium for vision-language agents`,
      '',
      ...commandList(entries),
      '',
      dim('vlgym COMMAND --help explains a command, with examples.'),
      '',
    ].join('\n'),
  );
} else if (first === '--version' || first === '-v') {
  write(`${VERSION}\n`);
} else {
  const { main } = await import('./main.js');
  process.exitCode = await main(args);
}

function write(text: string): void {
  // a reader such as `head` may close the pipe early; that is not a failure
  process.stdout.on('error', () => process.exit(0));
  process.stdout.write(text);
}
