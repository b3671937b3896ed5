/** The original ALFWorld in Python, behind this package's interface. */
export type { PythonHouseholdInfo, PythonVersions } from './protocol.js';
export { PythonError, type PythonErrorCode } from './python-error.js';
export type { AlfredPythonOptions, AlfredThorOptions, PythonReward, ThorReward } from './python-options.js';
export { originalPython } from './python-place.js';
export { type SetupPythonOptions, type SetupPythonReport, setupPython } from './setup-python.js';
export type { ThorObservation } from './thor-env.js';
