/** Exit codes of every command. */
export const FAILED = 1;
/** Wrong usage. */
export const USAGE = 2;
/** A process of the run was lost; the same command with --resume continues. `EX_TEMPFAIL` of sysexits.h. */
export const RANK_LOST = 75;
/** Stopped by Ctrl-C. */
export const INTERRUPTED = 130;
