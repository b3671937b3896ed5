/** The ids of this package. Importing the package registers them. */
import { register } from '@vlgym/core';
import { AlfredTextEnv, AlfworldEnv } from './env/alfworld.js';

declare module '@vlgym/core' {
  interface KnownEnvs {
    'alfworld/AlfredTWEnv-v0': AlfredTextEnv;
    'vlgym/ALFWorld-v1': AlfworldEnv;
  }
}

const module = '@vlgym/alfworld';

register({ id: 'alfworld/AlfredTWEnv-v0', module, entryPoint: (options) => new AlfredTextEnv(options) });
register({ id: 'vlgym/ALFWorld-v1', module, entryPoint: (options) => new AlfworldEnv(options) });
