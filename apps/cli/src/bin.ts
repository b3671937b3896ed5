import { fileURLToPath } from 'node:url';

/** The command's file, to start runs in separate processes: the benchmark may have been called by another program. */
export const BIN = fileURLToPath(new URL('../bin/vlgym.js', import.meta.url));
