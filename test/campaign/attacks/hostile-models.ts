/** Model folders and adapters of strangers: what is wrong is refused with a code, and nothing hangs, swells or dies. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Attack, Finding } from '../attack.js';
import { runScript } from '../support/child.js';

const SCRIPT = fileURLToPath(new URL('../children/hostile-models.ts', import.meta.url));
const TSX = createRequire(import.meta.url).resolve('tsx');
const FOLDERS = 40;
/** Seconds of processor time, and bytes, that one folder may take: a pattern of its tokenizer is stopped after ten. */
const SLOW = 15;
const LARGE = 600 * 2 ** 20;

interface Line {
  readonly index: number;
  readonly name: string;
  readonly refuse: boolean;
  readonly code?: string;
  readonly raw?: string;
  readonly seconds: number;
  readonly gained: number;
}

export const hostileModels: Attack = {
  name: 'hostile-models',
  about: 'model folders and adapters with spoiled files, headers, templates and lists',
  weight: 3,
  async run({ seed, folder }) {
    const args = [String(seed % 2 ** 31), String(FOLDERS), join(folder, 'home')];
    const nodeArgs = ['--max-old-space-size=1500'];
    const result = await runScript(SCRIPT, { args, preload: [TSX], nodeArgs, timeout: 180_000 });
    const lines = result.stdout.split('\n').filter((text) => text.startsWith('{'));
    const tried = lines.map((text) => JSON.parse(text) as Line);
    const findings = tried.flatMap(judge);
    if (result.code !== 0) {
      const last = [...result.stderr.matchAll(/^folder (.*)$/gm)].at(-1)?.[1] ?? 'before the first folder';
      const how = result.timedOut ? 'does not return' : `ends the process: ${result.signal ?? result.code}`;
      findings.push({
        title: `${how}: ${last.replace(/^\d+ /, '')}`,
        detail: `${last}\n${result.stderr.slice(-1500)}`,
      });
    }
    const refused = tried.filter(({ code }) => code !== undefined).length;
    return { counts: { folders: tried.length, refused }, findings };
  },
};

function judge({ index, name, refuse, code, raw, seconds, gained }: Line): Finding[] {
  const found = (title: string, detail: string): Finding => ({
    title: `${title}: ${name}`,
    detail: `folder ${index}: ${detail}`,
  });
  return [
    ...(raw === undefined ? [] : [found('a raw error', raw)]),
    ...(refuse && code === undefined && raw === undefined
      ? [found('it is taken', 'expected an error with a code')]
      : []),
    ...(seconds > SLOW ? [found('it takes long', `${seconds.toFixed(1)} s`)] : []),
    ...(gained > LARGE ? [found('it takes memory', `${(gained / 2 ** 20).toFixed(0)} MiB`)] : []),
  ];
}
