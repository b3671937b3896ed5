import { createAlfworld, household } from '@vlgym/alfworld';

const bathTime = household({
  name: 'bath-time',
  rooms: [
    {
      receptacles: [
        'Bed',
        { type: 'Desk', wall: 'east', at: 0 },
        { type: 'ToyBox', accepts: ['RubberDuck'], openable: true },
      ],
    },
    { receptacles: ['BathtubBasin', 'SinkBasin', { type: 'Cabinet', count: 2, accepts: ['RubberDuck'] }] },
  ],
  objects: [
    { type: 'RubberDuck', in: 'ToyBox', properties: ['cleanable'] },
    { type: 'Book', in: 'Desk' },
  ],
  task: { type: 'pick_clean_then_place_in_recep', object: 'RubberDuck', receptacle: 'Cabinet' },
});

const env = await createAlfworld({ households: [bathTime] });
env.reset({ seed: 7 });
for (let command = env.oracle(); command; command = env.oracle()) {
  const { observation, reward } = env.step(command);
  console.log(`> ${command}\n${observation}`, reward);
}
await env.close();
