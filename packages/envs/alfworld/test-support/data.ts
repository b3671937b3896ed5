/** Locates original games and reference transcripts, which are not part of the repository. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type GameTexts,
  type GrammarVersion,
  type LogicTexts,
  parseGameFile,
  renderAgain,
} from '../src/games/index.js';

const beside = fileURLToPath(new URL('../../../../../shared/data/alfworld', import.meta.url));
const folder = process.env.VLGYM_ALFWORLD_DATA || beside;

export const DATA = existsSync(join(folder, 'json_2.1.1')) ? folder : undefined;
/** Suffix for titles of tests that are skipped without data. */
export const NEEDS_DATA = DATA ? '' : ' (skipped: no ALFWorld data; set VLGYM_ALFWORLD_DATA)';

function logicTexts(data: string): LogicTexts {
  const read = (file: string) => readFileSync(join(data, 'logic', file), 'utf8');
  return { domain: read('alfred.pddl'), grammar: read('alfred.twl2') };
}

const VERSIONS: Readonly<Record<string, GrammarVersion>> = {
  embedded: 'embedded',
  v050: 'v0.5.0',
  v212: 'patched-2.1.2',
};

export interface Transcript {
  readonly game: string;
  readonly variant: string;
  readonly initial: { readonly obs: string; readonly admissible: readonly string[]; readonly won: boolean };
  readonly steps: readonly {
    readonly action: string;
    readonly obs: string;
    readonly won: boolean;
    readonly add: readonly string[];
    readonly del: readonly string[];
  }[];
}

export function transcripts(data: string, file: string): Transcript[] {
  const lines = readFileSync(join(data, 'golden', `${file}.jsonl`), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => JSON.parse(line));
}

/** The texts of the game with which a transcript was recorded. */
export function textsOf(data: string, { game, variant }: Transcript): GameTexts {
  const { texts } = parseGameFile(readFileSync(join(data, game, 'game.tw-pddl'), 'utf8'));
  return renderAgain(texts, VERSIONS[variant]!, logicTexts(data));
}
