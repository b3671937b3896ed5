/** Options of every command that opens a page. */
import { z } from 'zod';

export const pageOptions = {
  port: z
    .number()
    .int()
    .min(0)
    .max(65535)
    .default(0)
    .describe('port of the page, on this machine only; 0 is any free one'),
  open: z.boolean().default(true).describe('open the page in the browser; --no-open prints its address only'),
};
