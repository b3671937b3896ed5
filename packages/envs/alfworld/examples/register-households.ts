import { createAlfworld, household } from '@vlgym/alfworld';
import { make, register } from '@vlgym/core';

const tidy = (seed: number) =>
  household({
    name: `tidy-${seed}`,
    rooms: [{ receptacles: ['Bed', 'Desk', { type: 'ToyBox', accepts: ['RubberDuck'], openable: true }] }],
    objects: [
      { type: 'Book', in: 'Bed' },
      { type: 'RubberDuck', in: 'ToyBox', properties: [] },
    ],
    task: { type: 'pick_and_place_simple', object: 'Book', receptacle: 'Desk', sentence: 'put the book on the desk' },
    seed,
  });

register({
  id: 'my/TidyUp-v0',
  module: 'my-env',
  title: 'Tidy up',
  entryPoint: (options) => createAlfworld({ ...options, households: [1, 2, 3].map(tidy) }),
});

const env = await make('my/TidyUp-v0');
const { observation } = await env.reset({ seed: 1 });
console.log(observation);
await env.close();
