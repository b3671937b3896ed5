import { join } from 'node:path';
import { z } from 'zod';

export const HOME = join('runs', 'transfer');
export const json = z.boolean().default(false).describe('print JSON for scripts');
