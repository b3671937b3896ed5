/** For packages that verify an environment against its original: the original's Python, its process, a tally. Node only. */
export { type AskOptions, OriginalProcess, type OriginalProcessOptions, scriptBeside } from './original-process.js';
export { OriginalPython, type OriginalPythonOptions } from './original-python.js';
export { endGroup, HAS_GROUPS, type Ran, type RunProgramOptions, runProgram } from './run-program.js';
export { Tally } from './tally.js';
