/** The ids of this package. Importing the package registers them. */
import { type RgbImage, register } from '@vlgym/core';
import { AlfredPythonEnv } from './bridge/python-env.js';
import { AlfredThorEnv } from './bridge/thor-env.js';
import { AlfredTextEnv, type AlfworldEnv, createAlfworld, loadFor } from './env/alfworld.js';

declare module '@vlgym/core' {
  interface KnownEnvs {
    'alfworld/AlfredTWEnv-v0': AlfredTextEnv;
    'alfworld/AlfredTWEnvPython-v0': AlfredPythonEnv;
    'alfworld/AlfredThorEnv-v0': AlfredThorEnv;
    'vlgym/ALFWorld-v1': AlfworldEnv;
    'vlgym/ALFWorldPictures-v1': AlfworldEnv<RgbImage>;
  }
}

const module = '@vlgym/alfworld';

register({
  id: 'alfworld/AlfredTWEnv-v0',
  module,
  entryPoint: async (options) => {
    await loadFor(options);
    return new AlfredTextEnv(options);
  },
});
register({ id: 'alfworld/AlfredTWEnvPython-v0', module, entryPoint: (options) => new AlfredPythonEnv(options) });
register({
  id: 'alfworld/AlfredThorEnv-v0',
  module,
  nondeterministic: true,
  entryPoint: (options) => new AlfredThorEnv(options),
});
register({ id: 'vlgym/ALFWorld-v1', module, entryPoint: (options) => createAlfworld(options) });
// the setting of GTR: the picture in place of the text, and the actions so far in the prompt
register({
  id: 'vlgym/ALFWorldPictures-v1',
  module,
  options: { observation: 'image', dialogue: 'gtr-v1' },
  entryPoint: (options) => createAlfworld(options),
});
