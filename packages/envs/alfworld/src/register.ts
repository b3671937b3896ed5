/** The ids of this package. Importing the package registers them. */
import { register } from '@vlgym/core';
import { AlfredPythonEnv } from './bridge/python-env.js';
import { AlfredThorEnv } from './bridge/thor-env.js';
import { AlfredTextEnv, AlfworldEnv } from './env/alfworld.js';

declare module '@vlgym/core' {
  interface KnownEnvs {
    'alfworld/AlfredTWEnv-v0': AlfredTextEnv;
    'alfworld/AlfredTWEnvPython-v0': AlfredPythonEnv;
    'alfworld/AlfredThorEnv-v0': AlfredThorEnv;
    'vlgym/ALFWorld-v1': AlfworldEnv;
  }
}

const module = '@vlgym/alfworld';

register({ id: 'alfworld/AlfredTWEnv-v0', module, entryPoint: (options) => new AlfredTextEnv(options) });
register({ id: 'alfworld/AlfredTWEnvPython-v0', module, entryPoint: (options) => new AlfredPythonEnv(options) });
register({ id: 'vlgym/ALFWorld-v1', module, entryPoint: (options) => new AlfworldEnv(options) });
register({
  id: 'alfworld/AlfredThorEnv-v0',
  module,
  nondeterministic: true,
  entryPoint: (options) => new AlfredThorEnv(options),
});
