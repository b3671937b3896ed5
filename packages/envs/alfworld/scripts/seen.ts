/**
 * Lists objects that the text names but the picture does not show, in all of ALFWorld's games and some generated ones.
 *
 * `npx tsx packages/envs/alfworld/scripts/seen.ts <ALFWorld's data> [part of a game's id]`. Visits and opens each place;
 * objects that cover fewer than ten of 300 x 300 pixels are listed.
 */

import { listGames } from '../src/games/index.js';
import { type AlfworldOptions, createAlfworld } from '../src/index.js';

const [data, part = ''] = process.argv.slice(2);
if (data === undefined) throw new Error("Give the folder of ALFWorld's data.");
const splits = ['train', 'valid_seen', 'valid_unseen'] as const;
const games = splits.flatMap((split) => listGames({ data, split }).games).filter(({ id }) => id.includes(part));

await report(
  "ALFWorld's games",
  games.map(({ file, id }) => [id, { games: [file] }, 1]),
);
if (part === '') {
  const seeds = Array.from({ length: 30 }, (_, seed) => seed);
  await report(
    'generated households',
    seeds.map((seed) => [`seed ${seed}`, {}, seed]),
  );
}

async function report(
  title: string,
  episodes: readonly (readonly [name: string, options: AlfworldOptions, seed: number])[],
) {
  const [places, things] = [
    { seen: 0, all: 0 },
    { seen: 0, all: 0 },
  ];
  for (const [name, options, seed] of episodes) {
    const env = await createAlfworld({ ...options, observation: 'text', renderMode: 'rgb_array' });
    const { info } = env.reset({ seed });
    for (const place of info.admissibleCommands.flatMap((command) => /^go to (.*)$/.exec(command)?.[1] ?? [])) {
      env.reset({ options: { game: info.game } });
      let { observation } = env.step(`go to ${place}`);
      if (observation.includes('is closed')) ({ observation } = env.step(`open ${place}`));
      const named = /you see (.*)\.$/.exec(observation)?.[1]?.match(/[a-z]+ \d+/g) ?? [];
      const visible = new Set(env.visibleObjects());
      const unseen = named.filter((thing) => !visible.has(thing));
      places.all += 1;
      places.seen += visible.has(place) ? 1 : 0;
      things.all += named.length;
      things.seen += named.length - unseen.length;
      if (!visible.has(place)) console.log(`${name}: ${place} itself`);
      if (unseen.length > 0)
        console.log(`${name}: ${place}, ${unseen.length} of ${named.length}: ${unseen.join(', ')}`);
    }
    await env.close();
  }
  const share = ({ seen, all }: typeof places) => `${seen} of ${all} (${((100 * seen) / all).toFixed(1)} %)`;
  console.log(`${title}: ${episodes.length}, places seen ${share(places)}, things seen ${share(things)}`);
}
