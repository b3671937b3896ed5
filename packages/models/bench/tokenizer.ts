/**
 * What reading a prompt costs, in turns in one process:
 *
 *     npx tsx packages/models/bench/tokenizer.ts [--rounds 5]
 *
 * `watched` runs under a timer, as a pattern that nobody has looked at does; `new` has the pattern of `tiny`, which is known
 * to be linear, and texts that it never read; `again` has texts that it has read. The ids of all are compared. Times are processor
 * time of the process per text; ratios are medians of neighboring turns.
 */
import { parseArgs } from 'node:util';
import definition from '../assets/tiny-tokenizer.json' with { type: 'json' };
import { TextTokenizer } from '../src/tokenizer/tokenizer.js';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const TEXTS = 200;

/** The same pattern in a group: equal ids, and not in the list of known ones. */
const grouped = structuredClone(definition);
const split = grouped.pre_tokenizer.pretokenizers[0] as { pattern: { Regex: string } };
split.pattern.Regex = `(?:${split.pattern.Regex})`;

const tokenizers = { watched: new TextTokenizer(grouped), new: new TextTokenizer(definition) };
const textOf = (round: number, i: number) =>
  `<|im_start|>user\nRound ${round}, step ${i}: the red box is to your left. Options: {"action": "turn left"}<|im_end|>\n`;

/** Microseconds of processor time per text, user and system. */
function turn(tokenizer: TextTokenizer, round: number): { readonly time: number; readonly ids: string } {
  const before = process.cpuUsage();
  const ids = Array.from({ length: TEXTS }, (_, i) => tokenizer.encode(textOf(round, i)).join());
  const { user, system } = process.cpuUsage(before);
  return { time: (user + system) / TEXTS, ids: ids.join(';') };
}

const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

const rounds: { readonly watched: number; readonly new: number; readonly again: number }[] = [];
for (let round = -1; round < Number(values.rounds); round++) {
  const turns = [turn(tokenizers.watched, round), turn(tokenizers.new, round), turn(tokenizers.new, round)] as const;
  if (new Set(turns.map(({ ids }) => ids)).size > 1) throw new Error('the ids differ');
  // the first round warms up
  if (round >= 0) rounds.push({ watched: turns[0].time, new: turns[1].time, again: turns[2].time });
}
for (const kind of ['watched', 'new', 'again'] as const) {
  const time = median(rounds.map((round) => round[kind]));
  const ratio = median(rounds.map((round) => round.watched / round[kind]));
  console.log(`${kind.padEnd(8)} ${time.toFixed(0).padStart(6)} us  ${ratio.toFixed(2)}`);
}
