/** Registers this package's environments on import; package.json lists the ids. */
import { type KnownEnv, type RgbImage, register, registerVerifier } from '@vlgym/core';
import {
  AlfredTextEnv,
  type AlfredTextOptions,
  type AlfworldEnv,
  type AlfworldOptions,
  createAlfworld,
  createPublishedAlfworld,
  loadFor,
} from './env/alfworld.js';
import { householdGuide } from './env/guide.js';
import type { ObservationKind, ObservationOfKind } from './env/views.js';
import { AlfredPythonEnv } from './python/python-env.js';
import type { AlfredPythonOptions, AlfredThorOptions } from './python/python-options.js';
import { AlfredThorEnv } from './python/thor-env.js';

type TextEnvs = { [Kind in ObservationKind]: AlfredTextEnv<ObservationOfKind<Kind>> };
type Households = { [Kind in ObservationKind]: AlfworldEnv<ObservationOfKind<Kind>> };

declare module '@vlgym/core' {
  interface KnownEnvs {
    'alfworld/AlfredTWEnv-v0': KnownEnv<AlfredTextEnv, AlfredTextOptions, { observation: TextEnvs }>;
    'alfworld/AlfredTWEnvPython-v0': KnownEnv<AlfredPythonEnv, AlfredPythonOptions>;
    'alfworld/AlfredThorEnv-v0': KnownEnv<AlfredThorEnv, AlfredThorOptions>;
    'vlgym/ALFWorld-v1': KnownEnv<AlfworldEnv, AlfworldOptions, { observation: Households }>;
    'vlgym/ALFWorldPictures-v1': KnownEnv<AlfworldEnv<RgbImage>, AlfworldOptions, { observation: Households }>;
    'vlgym/ALFWorld-v2': KnownEnv<AlfworldEnv, AlfworldOptions, { observation: Households }>;
    'vlgym/ALFWorldPictures-v2': KnownEnv<AlfworldEnv<RgbImage>, AlfworldOptions, { observation: Households }>;
  }
}

const module = '@vlgym/alfworld';

const measured = { episodes: 100, source: 'docs/benchmark/agents.yaml' };

/** `split` alone keeps its published meaning; docs/splits.md. */
const splits = {
  train: { splitScheme: 'content', split: 'train' },
  test: { splitScheme: 'content', split: 'test' },
};

register({
  id: 'alfworld/AlfredTWEnv-v0',
  module,
  title: 'ALFWorld, published games',
  guide: householdGuide('sparse'),
  splits,
  entryPoint: async (options) => {
    await loadFor(options);
    return new AlfredTextEnv(options);
  },
});
register({
  id: 'alfworld/AlfredTWEnvPython-v0',
  module,
  title: 'ALFWorld, published games in Python',
  guide: householdGuide('sparse'),
  splits,
  entryPoint: (options) => new AlfredPythonEnv(options),
});
register({
  id: 'alfworld/AlfredThorEnv-v0',
  module,
  title: 'ALFWorld in AI2-THOR',
  guide: householdGuide('sparse'),
  nondeterministic: true,
  splits,
  entryPoint: (options) => new AlfredThorEnv(options),
});
register({
  id: 'vlgym/ALFWorld-v1',
  module,
  title: 'ALFWorld, generated households',
  guide: householdGuide('paper'),
  shortNames: ['alfworld'],
  splits,
  baselines: [
    { agent: 'random', successRate: 0, ...measured },
    { agent: 'oracle', successRate: 1, ...measured },
  ],
  entryPoint: (options) => createAlfworld(options),
});
// the setting of GTR: the picture in place of the text, and the actions so far in the prompt
register({
  id: 'vlgym/ALFWorldPictures-v1',
  module,
  title: 'ALFWorld, generated households in pictures',
  guide: householdGuide('paper'),
  options: { observation: 'image', dialogue: 'gtr-v1' },
  splits,
  entryPoint: (options) => createAlfworld(options),
});

// as full as ALFWorld's rooms, and with its mix of tasks
register({
  id: 'vlgym/ALFWorld-v2',
  module,
  title: 'ALFWorld, generated households as full as the published',
  guide: householdGuide('paper'),
  splits,
  entryPoint: (options) => createPublishedAlfworld(options),
});
register({
  id: 'vlgym/ALFWorldPictures-v2',
  module,
  title: 'ALFWorld, generated households as full as the published, in pictures',
  guide: householdGuide('paper'),
  options: { observation: 'image', dialogue: 'gtr-v1' },
  splits,
  entryPoint: (options) => createPublishedAlfworld(options),
});

registerVerifier({
  name: 'alfworld',
  description:
    'Households of our generator in our engine and in the Python package of ALFWorld: random commands, invalid ones, the expert’s plan. Texts, rewards, ends and admissible commands must be equal.',
  load: async () => (await import('./verifier.js')).households,
});
