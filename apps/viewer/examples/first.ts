import { evaluate, randomAgent } from '@vlgym/agents';
import { make } from '@vlgym/core';
import '@vlgym/points24';
import { exportPage, listRuns } from '@vlgym/viewer';

const env = () => make('vlgym/NumberLine-v1');
await evaluate({ env, agent: randomAgent(), episodes: 20, record: 'runs/random' });
const { runs } = await listRuns(['runs']); // what `vlgym runs` prints
await exportPage({ folders: ['runs'], file: 'random.html' }); // one file; `view({ folders })` serves the page instead
console.log(runs[0]?.episodes);
