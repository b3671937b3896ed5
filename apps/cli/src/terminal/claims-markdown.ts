/** The rows of a design as a table for a README. */
import type { ClaimRow, Claims } from '../experiment/claims/rows.js';
import { chance, contrastText, end, signed, unit, verdictText } from './claims-text.js';
import { printable } from './printable.js';

const HEAD = ['claim', 'first − second', 'effect, 95 % interval', 'p, Holm', 'verdict'];

export function claimsMarkdown({ rows }: Pick<Claims, 'rows'>): string {
  const cells = [HEAD, HEAD.map(() => '---'), ...rows.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (cell === '---' ? '-'.repeat(widths[column]!) : cell.padEnd(widths[column]!))).join(' | ')} |`;
  return cells.map(line).join('\n');
}

function cellsOf(row: ClaimRow): string[] {
  const { claim, outcome, effect, interval, pHolm } = row;
  const size =
    effect === undefined || !interval
      ? '–'
      : `${signed(row, effect)} [${end(row, interval[0], '−∞')}, ${end(row, interval[1], '∞')}] ${unit(row)}`;
  const contrast = `${outcome}: ${contrastText(row)}`;
  return [cellText(claim), contrast, size, pHolm === undefined ? '–' : chance(pHolm), verdictText(row)];
}

/** Text of a file, which ends neither its cell nor its row, and cannot hold markup. */
const cellText = (text: string): string =>
  printable(text, Number.POSITIVE_INFINITY).replace(/[\\|<[`]/g, (mark) => `\\${mark}`);
