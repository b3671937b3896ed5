import { z } from 'zod';
import { defineCommand, UsageError } from '../command-line/command.js';
import { needs } from '../command-line/needs.js';
import { readCells } from '../experiment/claims/cells.js';
import { claimsOf } from '../experiment/claims/rows.js';
import { claimsMarkdown } from '../terminal/claims-markdown.js';
import { claimsText } from '../terminal/claims-text.js';

export const claims = defineCommand({
  name: 'claims',
  summary: 'which claims of a design hold, from the cells of its runs',
  description:
    'Computes every figure from cells.json, which `vlgym bench --design` writes, and says for each contrast whether it holds, does not hold, is equal within its margin, or cannot be decided: with effect, 95 % interval, p, p after the correction of Holm, blocks, tasks, and the smallest effect that the design detects with a power of 80 %. No contrast holds while runs are missing or failed, nor in a pilot.',
  positional: 'folder',
  options: z.object({
    folder: z.string().describe('folder of `vlgym bench --design`, or its cells.json'),
    markdown: z
      .boolean()
      .default(false)
      .meta(needs({ json: false }))
      .describe('print a Markdown table for a README'),
    json: z.boolean().default(false).describe('print JSON for scripts'),
  }),
  examples: [
    { command: 'vlgym claims runs/claims', does: 'a row for each contrast' },
    { command: 'vlgym claims runs/claims --markdown', does: 'a table for a README' },
    { command: 'vlgym claims runs/claims/cells.json --json', does: 'for a script' },
  ],
  async run({ folder, markdown, json }, { stdout }) {
    const found = await readCells(folder);
    if (!found) {
      throw new UsageError(`${folder} holds no cells.`, {
        expected: 'a folder with cells.json, or such a file',
        hint: 'vlgym bench --design FILE --out FOLDER makes one',
      });
    }
    const result = claimsOf(found.design, found.file);
    const text = json ? JSON.stringify(result, null, 2) : markdown ? claimsMarkdown(result) : claimsText(result);
    stdout.write(`${text}\n`);
    return 0;
  },
});
