/** The transfer matrix in the terminal. */
import { changeText, detailText, matrixOf, rateText, TRANSFER_METHOD, type TransferRow } from '../report/transfer.js';
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
      ...lines.flatMap(({ title, trainedOn, cells }) => [
        [title, trainedOn, ...cells.map((cell) => (cell ? rateText(cell) : '–'))],
        ['', '', ...cells.map((cell) => (cell ? changeText(cell) : ''))],
        ['', '', ...cells.map((cell) => (cell ? detailText(cell) : ''))],
      ]),
    ]),
    dim(wrapText(TRANSFER_METHOD, WIDTH)),
  ];
}
