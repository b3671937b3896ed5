import { evaluate, humanAgent } from '@vlgym/agents';
import { make } from '@vlgym/core';
import '../environments.js';
import { z } from 'zod';
import { defineCommand } from '../command.js';

export const play = defineCommand({
  name: 'play',
  summary: 'play an environment yourself in the terminal',
  description:
    'Shows the environment as text, asks for an action, says what it brought. `:hint` asks the expert, `:quit` leaves.',
  positional: 'env',
  options: z.object({
    env: z.string().default('vlgym/Points24-v1').describe('id of the environment'),
    seed: z.number().int().nonnegative().default(0).describe('of the first episode; the next count up from it'),
    episodes: z.number().int().positive().default(1).describe('how many episodes'),
    envOptions: z.record(z.string(), z.unknown()).default({}).describe('options of the environment'),
    record: z.string().optional().describe('folder for the episodes as trajectories'),
  }),
  examples: [
    { command: 'vlgym play', does: 'one hand of Points24' },
    { command: 'vlgym play vlgym/Blackjack-v1 --seed 7 --episodes 3', does: 'three hands of Blackjack' },
    { command: 'vlgym play vlgym/ALFWorld-v1', does: 'a household task in words' },
  ],
  async run({ env: id, seed, episodes, envOptions, record }, { stdout, signal }) {
    const agent = humanAgent();
    try {
      const result = await evaluate({
        env: () => make(id, { options: envOptions, renderMode: 'ansi' }),
        agent,
        seeds: Array.from({ length: episodes }, (_, index) => seed + index),
        parallel: 1,
        signal,
        ...(record ? { record } : {}),
        onEpisode: (episode) => {
          const left = episode.error !== undefined;
          const verdict = left ? 'Left.' : episode.success ? 'Solved.' : 'Not solved.';
          const steps = episode.length - (left ? 1 : 0); // the turn of leaving is no step
          stdout.write(`\n${verdict} Return ${episode.return} in ${steps} steps.\n\n`);
        },
      });
      if (result.episodes.length > 1) {
        const solved = result.episodes.filter(({ success }) => success).length;
        stdout.write(`${solved} of ${result.episodes.length} solved, mean return ${result.meanReturn.toFixed(2)}\n`);
      }
    } finally {
      await agent.close?.();
    }
    return 0;
  },
});
