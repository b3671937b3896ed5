/** Experts on long, blocked, or spoiled paths to the goal. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SMALL } from '../../test-support/small-game.js';
import { Game } from '../engine/game.js';
import { Play } from '../engine/play.js';
import type { TaskType } from '../games/task.js';
import { generateHousehold, householdTexts } from '../generator/household.js';
import { adviseHandCoded, type ExpertMemory } from './hand-coded.js';
import { Household } from './household.js';
import { planToGoal } from './planner.js';

afterEach(() => vi.restoreAllMocks());

function household(taskType: TaskType, seed: number, change = (problem: string) => problem): Play {
  const texts = householdTexts(generateHousehold({ split: 'train', taskType, seed }));
  const play = new Play(new Game({ ...texts, problem: change(texts.problem) }));
  play.reset();
  return play;
}

/** Goes to an object and takes it. */
function take(play: Play, object: number): void {
  const house = new Household(play);
  const place = house.placesOf(object)[0]!;
  for (const command of [`go to ${house.name(place)}`, `open ${house.name(place)}`]) play.step(command);
  expect(play.step(`take ${house.name(object)} from ${house.name(place)}`).accepted).toBe(true);
}

describe('the planner', () => {
  const nothingTakes = (kind: string) => (problem: string) =>
    problem.replaceAll(new RegExp(`\\(canContain \\w+ ${kind}Type\\)`, 'g'), '');

  it('recognizes at once that the agent can never put down what it holds', () => {
    const { things, target } = generateHousehold({ split: 'train', taskType: 'pick_and_place_simple', seed: 3 });
    const other = things.find(({ type }) => type !== target.object)!.type;
    const play = household('pick_and_place_simple', 3, nothingTakes(other));
    expect(planToGoal(play)).toBeDefined();
    take(play, new Household(play).objectsOf(`${other.toLowerCase()}type`)[0]!);
    const fork = vi.spyOn(Play.prototype, 'fork');
    expect(planToGoal(play)).toBeUndefined();
    expect(fork).not.toHaveBeenCalled();
  });

  it('wins with an object that no receptacle accepts if the task is to light it', () => {
    const { target } = generateHousehold({ split: 'train', taskType: 'look_at_obj_in_light', seed: 3 });
    const play = household('look_at_obj_in_light', 3, nothingTakes(target.object));
    take(play, new Household(play).objectsOf(play.game.task!.object)[0]!);
    for (const command of planToGoal(play)!) play.step(command);
    expect(play.won).toBe(true);
  });

  it('searches for a goal of unknown form, up to its limit', () => {
    const goal = '(:goal (and (inReceptacle Ball_bar_x Box_bar_b) (inReceptacle Ball_bar_y Box_bar_c)))';
    const play = new Play(new Game({ ...SMALL, problem: SMALL.problem.replace(/\(:goal.*\)/, `${goal})`) }));
    play.reset();
    const plan = planToGoal(play)!;
    const fork = vi.spyOn(Play.prototype, 'fork');
    expect(planToGoal(play, { searchLimit: 7 })).toBeUndefined();
    expect(fork).toHaveBeenCalledTimes(7);
    for (const command of plan) play.step(command);
    expect(play.won).toBe(true);
  });
});

describe('the hand-coded expert', () => {
  it('brings two objects together that lie in two receptacles of the goal', () => {
    let met = 0;
    for (let seed = 0; seed < 40; seed += 1) {
      const play = household('pick_two_obj_and_place', seed);
      const house = new Household(play);
      const goals = house.receptaclesOf(play.game.task!.receptacle!);
      const objects = house.objectsOf(play.game.task!.object);
      if (goals.length < 2 || objects.length !== 2) continue;
      for (const [index, object] of objects.entries()) {
        take(play, object);
        const goal = house.name(goals[index]!);
        for (const command of [`go to ${goal}`, `open ${goal}`, `move ${house.name(object)} to ${goal}`])
          play.step(command);
      }
      expect(play.won).toBe(false);
      met += 1;
      let memory: ExpertMemory = [];
      for (let step = 0; step < 100 && !play.won; step += 1) {
        const advice = adviseHandCoded(play, memory);
        memory = advice.memory;
        play.step(advice.command);
      }
      expect(play.won, `seed ${seed}`).toBe(true);
    }
    expect(met).toBeGreaterThan(5);
  });
});
