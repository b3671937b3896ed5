/** Playing in the terminal: what the environment shows as text, actions as words. */
import { evaluate, humanAgent } from '@vlgym/agents';
import { make } from '@vlgym/core';
import { ending, type PlayOptions } from './options.js';

export async function playInTerminal({ id, seed, episodes = 1, envOptions, record, stdout, signal }: PlayOptions) {
  const agent = humanAgent();
  try {
    const result = await evaluate({
      env: () => make(id, { options: envOptions, renderMode: 'ansi' }),
      agent,
      seeds: Array.from({ length: episodes }, (_, index) => seed + index),
      parallel: 1,
      signal,
      ...(record ? { record } : {}),
      onEpisode: (row) => {
        stdout.write(`\n${ending(row)}\n\n`);
      },
    });
    if (result.episodes.length > 1) {
      const solved = result.episodes.filter(({ success }) => success).length;
      stdout.write(`${solved} of ${result.episodes.length} solved, mean return ${result.meanReturn.toFixed(2)}\n`);
    }
  } finally {
    await agent.close?.();
  }
}
