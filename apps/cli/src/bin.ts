import { fileURLToPath } from 'node:url';

/** The command as a file, for runs in processes of their own: the program that called the benchmark may be another one. */
export const BIN = fileURLToPath(new URL('../bin/vlgym.js', import.meta.url));
