/** The words for people: the state in words, why an entry is illegal, how a hand ended. */
import { findRegistration, make } from '@vlgym/core';
import { guideOf } from '@vlgym/core/registry';
import { describe, expect, it } from 'vitest';
import { BlackjackEnv, BlackjackV1Env } from '../games/blackjack.js';
import { EZPointsEnv } from '../games/ez-points.js';
import { NumberLineEnv } from '../games/number-line.js';
import { Points24Env, Points24V1Env, type Points24V1Options } from '../games/points24.js';
import { SignsEnv } from '../games/signs.js';
import '../register.js';

const HAND = { options: { cards: ['H3', 'S3', 'DK', 'CA'] } };

describe('Points24 in words', () => {
  const dealt = () => {
    const env = new Points24V1Env();
    env.reset(HAND);
    const play = (entry: string) => env.step(env.keys[entry === '10' ? '0' : entry]!);
    return { env, play };
  };

  it('states the cards, what they count, the target, the formula and what is left', () => {
    const { env, play } = dealt();
    expect(env.describeTask()).toBe('Make 24 from the four cards.');
    expect(env.describeState()).toBe(
      'The cards are 3 of hearts, 3 of spades, king of diamonds and ace of clubs; they count 3, 3, 10 and 1. ' +
        'The target is 24. The formula is empty.',
    );
    play('10');
    play('+');
    expect(env.describeState()).toMatch(/The formula so far is 10 \+\. Still to be used: 3, 3 and 1\.$/);
  });

  it.each<[entries: string, entry: string, says: RegExp | undefined]>([
    ['', '7', /^No card that is left counts 7; you still have 3, 3, 10 and 1\.$/],
    ['3+3+', '3', /^No card that is left counts 3; you still have 10 and 1\.$/],
    ['3', '3', /^Two numbers cannot stand side by side: write a sign between 3 and 3\.$/],
    ['3*', '*', /^\* cannot be written twice in a row\.$/],
    ['3+3+0+1', '1', /^Every card is used already, so 1 cannot be written\.$/],
    ['3', '+', undefined],
    ['', '=', undefined],
  ])('after "%s" says about %s: %s', (entries, entry, says) => {
    const { env, play } = dealt();
    for (const each of entries) play(each);
    const refusal = env.describeRefusal(env.keys[entry]!);
    if (says) expect(refusal).toMatch(says);
    else expect(refusal).toBeUndefined();
    expect(env.actionMask()[env.keys[entry]!]).toBe(says ? 0 : 1); // a refusal is what would cost points
  });

  it.each([
    ['3+3+0+1=', '3 + 3 + 10 + 1 is 17, not 24.'],
    ['3*(3-1)=', '3 * ( 3 - 1 ) is 6, but not every card is used: 10 is left.'],
    ['3+=', '3 + is not a complete formula.'],
    ['=', 'The formula was empty.'],
  ])('says how "%s" ended', (entries, says) => {
    const { env, play } = dealt();
    const results = [...entries].map(play);
    expect(env.describeEnd(results.at(-1)!)).toBe(says);
  });

  it('says that a formula is right, and that the steps are used up', () => {
    const env = new Points24V1Env({ maxSteps: 2 });
    const { keys } = env;
    env.reset(HAND);
    env.step(keys['3']!);
    expect(env.describeEnd(env.step(keys['+']!))).toMatch(/last step is used and the formula has no =/);
    const solved = new Points24V1Env();
    solved.reset({ options: { cards: ['H8', 'S3', 'DA', 'CA'] } });
    const results = [...'8*3*1*1='].map((entry) => solved.step(solved.keys[entry]!));
    expect(results.at(-1)!.reward).toBe(10);
    expect(solved.describeEnd(results.at(-1)!)).toBe('8 * 3 * 1 * 1 is 24, and every card is used.');
  });

  it('explains under the published rules, too, whose info has no reason', () => {
    const env = new Points24Env();
    env.reset(HAND);
    expect(env.describeRefusal(6)).toMatch(/counts 7/);
    expect(env.step(6).reward).toBe(-1);
  });
});

describe('Blackjack at the end', () => {
  it.each([BlackjackEnv, BlackjackV1Env])(
    'shows the hidden cards in the last picture, never in an observation',
    (Game) => {
      const env = new Game();
      env.reset({ seed: 3 });
      expect(env.describeState()).toContain('the other card is hidden');
      const last = env.step(0);
      const { info, observation } = last;
      const twin = new Game({ renderMode: 'rgb_array' });
      twin.reset({ seed: 3 });
      twin.step(0);
      expect(twin.render()).toEqual(observation); // as published: the back of the card
      const shown = env.renderEnd();
      expect(shown).not.toEqual(observation);
      expect([shown.height, shown.width]).toEqual([300, 300]);
      const said = env.describeEnd(last);
      const total = info['Dealer Card'].length;
      expect(said.match(/ of (?:hearts|spades|diamonds|clubs)/g)).toHaveLength(total);
      expect(said).toMatch(
        /^Your total is \d+\. The dealer has .+: \d+\. (?:A draw|The dealer is .+|You are closer to 21)\.$/,
      );
    },
  );

  it('says that a hand is bust, and fits every card of a long hand into a small picture', () => {
    const env = new BlackjackV1Env({ size: { height: 84, width: 112 } });
    env.reset({ seed: 5 });
    let last = env.step(1);
    while (!last.terminated) last = env.step(1);
    expect(env.describeEnd(last)).toMatch(/^Your total is \d+, above 21: bust\. The dealer has /);
    expect(env.renderEnd().data).toHaveLength(84 * 112 * 3);
  });
});

describe('the other games in words', () => {
  it('names the number, the target and the line', () => {
    const env = new NumberLineEnv();
    const { info } = env.reset({ seed: 1 });
    expect(env.describeTask()).toBe(`Get to ${info.Target}.`);
    expect(env.describeState()).toBe(
      `Your number is ${info.Current}. The target is ${info.Target}. The line goes from 0 to 5.`,
    );
    let last = env.step(env.oracle());
    while (!last.terminated) last = env.step(env.oracle());
    expect(env.describeEnd(last)).toBe(`You are at the target, ${info.Target}.`);
  });

  it('names cards from the left and what the row came to', () => {
    const env = new SignsEnv();
    const { info } = env.reset({ seed: 2 });
    expect(env.describeState()).toContain(`they count ${info.Numbers.join(' and ')}. The target is ${info.Target}.`);
    expect(env.describeEnd(env.step(env.oracle()!))).toContain(`is ${info.Target}, the target.`);
  });

  it('speaks of two cards in EZPoints', () => {
    const env = new EZPointsEnv();
    env.reset({ seed: 2 });
    expect(env.describeTask()).toBe('Make 12 from the two cards.');
  });
});

describe('the declarations', () => {
  it('follow the options of the environment', () => {
    const guide = (id: string, options: object) => guideOf(findRegistration(id), { ...options })!;
    expect(guide('vlgym/Points24-v1', {}).goal).toContain('makes 24');
    expect(guide('vlgym/Points24-v1', { target: 30, faceCardsAsTen: false })).toMatchObject({
      goal: expect.stringContaining('makes 30'),
      rules: expect.stringContaining('11, 12 and 13'),
    });
    expect(guide('vlgym/NumberLine-v1', { maxPosition: 9 }).rules).toContain('between 0 and 9');
  });

  it('deals people hands with a solution, also at seeds 3 and 8, which have none for agents', async () => {
    const { playOptions } = findRegistration('vlgym/Points24-v1') as { readonly playOptions?: Points24V1Options };
    for (const seed of [3, 8]) {
      const forAgents = await make('vlgym/Points24-v1');
      await forAgents.reset({ seed });
      expect(forAgents.oracle!()).toBeUndefined();
      const forPeople = await make('vlgym/Points24-v1', { options: playOptions ?? {} });
      await forPeople.reset({ seed });
      expect(forPeople.oracle!()).toBeDefined();
    }
  });
});
