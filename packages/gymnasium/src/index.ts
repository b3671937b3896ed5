/** Environments of Python's Gymnasium in Node; importing makes the ids `gymnasium:…` known. */
export { PythonEnvError, PythonLostError } from './bridge/errors.js';
export { GymnasiumEnv } from './bridge/gymnasium-env.js';
export type { ProcessMode } from './bridge/lease.js';
export type { PythonSpec } from './bridge/made.js';
export type { GymnasiumOptions } from './bridge/options.js';
export { PythonProcess, pythonToUse } from './bridge/python-process.js';
export { encodeFrame, FrameError, FrameReader, NdArray, PROTOCOL } from './frames/codec.js';
