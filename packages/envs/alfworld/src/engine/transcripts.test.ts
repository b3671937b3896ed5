/** The engine against recorded episodes of the original, byte for byte. */
import { Generator } from '@vlgym/core';
import { describe, expect, it } from 'vitest';
import { DATA, NEEDS_DATA, textsOf, transcripts } from '../../test-support/data.js';
import { listGames } from '../games/collection.js';
import { loadGame } from '../games/game-file.js';
import { Game } from './game.js';
import { Play } from './play.js';

const FILES = { play: 120, edge: 32, 'patched-2.1.2': 6 };

describe.skipIf(!DATA)(`the reference transcripts${NEEDS_DATA}`, () => {
  it.each(Object.entries(FILES))('of %s.jsonl replay byte for byte', (file, count) => {
    const episodes = transcripts(DATA!, file);
    expect(episodes).toHaveLength(count);
    for (const episode of episodes) {
      const play = new Play(new Game(textsOf(DATA!, episode)));
      const title = `${episode.game} ${episode.variant}`;
      const { obs, admissible, won } = episode.initial;
      expect([play.reset(), play.admissible, play.won], title).toEqual([obs, admissible, won]);
      let commands = [...admissible];
      for (const [index, step] of episode.steps.entries()) {
        commands = [...commands.filter((command) => !step.del.includes(command)), ...step.add].sort();
        const { feedback, won: wonNow } = play.step(step.action);
        expect([feedback, play.admissible, wonNow], `${title}, step ${index}: ${step.action}`).toEqual([
          step.obs,
          commands,
          step.won,
        ]);
      }
    }
  });
});

describe.skipIf(!DATA)(`real games${NEEDS_DATA}`, () => {
  const games = DATA
    ? (['train', 'valid_seen', 'valid_unseen'] as const).flatMap(
        (split) => listGames({ data: DATA!, split, cache: false }).games,
      )
    : [];

  it('survive twenty random walks of fifty steps each, with saves and loads on the way', () => {
    const rng = new Generator(5);
    for (const { file } of games) {
      const game = loadGame(file);
      const play = new Play(game);
      for (let walk = 0; walk < 20; walk += 1) {
        play.reset();
        for (let step = 0; step < 50; step += 1) play.step(rng.choice(play.admissible));
      }
      const copy = new Play(game);
      copy.load(JSON.parse(JSON.stringify(play.save())));
      expect(copy.admissible).toEqual(play.admissible);
      const command = rng.choice(play.admissible);
      expect(copy.step(command)).toEqual(play.step(command));
      expect(copy.save()).toEqual(play.save());
    }
  });

  it('change only by admissible commands', () => {
    const rng = new Generator(6);
    const idle = /^(look|inventory|help|examine )/;
    for (const { file } of games.slice(0, 20)) {
      const play = new Play(loadGame(file));
      play.reset();
      for (let step = 0; step < 30; step += 1) {
        const before = play.save();
        for (const refused of ['', 'dance', 'Look', `${play.admissible[0]}x`]) {
          expect(play.step(refused)).toEqual({ feedback: 'Nothing happens.', accepted: false, won: play.won });
        }
        expect(play.save()).toEqual(before);
        const command = rng.choice(play.admissible);
        const moved = play.fork();
        expect(moved.step(` ${command}\n`).accepted).toBe(true);
        const worldly = (state: typeof before) =>
          Object.entries(state.facts).filter(([name]) => !name.startsWith('checked') && !name.startsWith('not_'));
        const changed = JSON.stringify(worldly(moved.save())) !== JSON.stringify(worldly(before));
        if (!idle.test(command) && !/^(use|heat|cool|clean|slice) /.test(command)) expect(changed, command).toBe(true);
        expect(play.save()).toEqual(before);
        play.step(command);
      }
    }
  });
});
