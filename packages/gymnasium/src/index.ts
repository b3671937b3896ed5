/** Environments of Python's Gymnasium in Node; importing makes the ids `gymnasium:…` known. */
export { PythonEnvError, PythonLostError } from './bridge/errors.js';
export { GymnasiumEnv, type GymnasiumOptions, type PythonSpec } from './bridge/gymnasium-env.js';
export type { ProcessMode } from './bridge/lease.js';
export { PythonProcess, pythonToUse } from './bridge/python-process.js';
export { encodeFrame, FrameError, FrameReader, NdArray, PROTOCOL } from './frames/codec.js';
