/** The transfer matrix in the terminal. */
import {
  asideText,
  changeText,
  matrixOf,
  rateText,
  TRANSFER_METHOD,
  type TransferRow,
  theseTasksText,
} from '../report/transfer.js';
import { bold, dim, table, wrapText } from './style.js';

const WIDTH = 110;

/** @returns Paragraphs; none without rows. */
export function transferTable(rows: readonly TransferRow[]): string[] {
  if (rows.length === 0) return [];
  const { judgedOn, lines } = matrixOf(rows);
  return [
    bold('what carries over'),
    table([
      ['', 'trained on', ...judgedOn],
      ...lines.flatMap(({ title, trainedOn, cells }) => {
        const row = (textOf: (cell: TransferRow) => string) => cells.map((cell) => (cell ? textOf(cell) : ''));
        const tasks = row(theseTasksText);
        return [
          [title, trainedOn, ...cells.map((cell) => (cell ? rateText(cell) : '–'))],
          ['', '', ...row(changeText)],
          ...(tasks.some(Boolean) ? [['', '', ...tasks]] : []),
          ['', '', ...row(asideText)],
        ];
      }),
    ]),
    dim(wrapText(TRANSFER_METHOD, WIDTH)),
  ];
}
