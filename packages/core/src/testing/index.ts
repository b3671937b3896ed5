/** For tests of environments, wrappers and agents: conformance tests and small environments. */
export { conformance, type TestRunner } from '../checks/check-env.js';
export { CountingEnv, type CountingEnvOptions, type CountingInfo } from './counting-env.js';
export { type Script, ScriptedEnv } from './scripted-env.js';
