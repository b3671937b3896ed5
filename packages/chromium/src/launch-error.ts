/** The reason why a Chromium does not start: its own words, from a second start whose output is kept. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GymError } from '@vlgym/core';

/** Milliseconds that the second start may take. */
const PATIENCE = 10_000;
/** Characters of output that are kept, from the end. */
const MAX_OUTPUT = 2000;

export class ChromiumLaunchError extends GymError {
  constructor(executablePath: string, output: string, cause: unknown) {
    const library = missingLibrary(output);
    const reason = library === undefined ? lastLine(output) : `the library ${library} is missing`;
    super(`Chromium at ${executablePath} does not start${reason ? `: ${reason}` : ''}.`, {
      code: 'CHROMIUM_DOES_NOT_START',
      value: output,
      expected: 'a Chromium or Chrome that starts',
      cause,
      hint: hintFor(output, library, executablePath),
    });
  }
}

/** `libnss3.so`, if the dynamic linker said so. */
function missingLibrary(output: string): string | undefined {
  return /error while loading shared libraries: ([^\s:]+)/.exec(output)?.[1];
}

function hintFor(output: string, library: string | undefined, executablePath: string): string {
  if (library !== undefined) {
    return `install what it needs: on Debian and Ubuntu \`npx playwright install-deps chromium\` or \`apt install chromium\`; \`ldd ${executablePath} | grep "not found"\` lists all that is missing`;
  }
  if (/sandbox/i.test(output)) return 'leave the option `sandbox` out, or allow unprivileged user namespaces';
  return 'start it by hand to see its messages, or set another path with the option `executablePath` or VLGYM_CHROMIUM';
}

const lastLine = (output: string) => output.trim().split('\n').at(-1)!.trim().replace(/\.$/, '').slice(0, 300);

/** Starts Chromium without a debugger and returns what it writes to its standard error until it ends. */
export function startOutput(executablePath: string, flags: readonly string[]): Promise<string> {
  const profile = mkdtempSync(join(tmpdir(), 'vlgym-diagnosis-'));
  return new Promise<string>((resolve) => {
    let output = '';
    const child = spawn(
      executablePath,
      [...flags, '--headless', `--user-data-dir=${profile}`, '--dump-dom', 'about:blank'],
      {
        stdio: ['ignore', 'ignore', 'pipe'],
        timeout: PATIENCE,
        killSignal: 'SIGKILL',
      },
    );
    child.stderr.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-MAX_OUTPUT);
    });
    child.once('error', (error) => resolve(`${output}${error.message}`));
    child.once('close', () => resolve(output));
  }).finally(() => rmSync(profile, { recursive: true, force: true, maxRetries: 5 }));
}
