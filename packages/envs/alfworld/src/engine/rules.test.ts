/** Surprising rules of the engine, on a game of a few lines. */
import { describe, expect, it } from 'vitest';
import { SMALL, SMALL_GRAMMAR, SMALL_PROBLEM } from '../../test-support/small-game.js';
import { Game } from './game.js';
import { displayNames } from './names.js';
import { Play } from './play.js';

const start = (texts = SMALL) => {
  const play = new Play(new Game(texts));
  play.reset();
  return play;
};

describe('a play', () => {
  it('introduces itself without white space at the start of lines', () => {
    expect(new Play(new Game(SMALL)).reset()).toBe('Boxes: box 3, box 2, and box 1.\nYour task is to: fill a box.');
  });

  it('refuses to go where the agent stands, even to another receptacle at the same place', () => {
    const play = start();
    expect(play.admissible).toEqual(['go to box 1', 'go to box 2', 'go to box 3', 'look']);
    expect(play.step('go to box 2').feedback).toBe('You are at loc 2.');
    expect(play.admissible).toEqual(['go to box 3', 'look']);
  });

  it.each([
    ['look', true],
    [' \t\r\nlook\u3000', true],
    ['\x1clook\x1f', true],
    ['\x85look\xa0', true],
    ['\ufefflook', false],
    ['\u200blook', false],
    ['lo ok', false],
  ])('strips from %j the white space that Python strips: accepted is %s', (command, accepted) => {
    expect(start().step(command).accepted).toBe(accepted);
  });

  it('never finds an object quantified over a type with a comma', () => {
    const play = start();
    play.step('go to box 3');
    expect(play.admissible).not.toContain('inspect ball 2');
    play.step('take ball 2 from box 3');
    expect(play.admissible).toContain('inspect ball 2');
  });

  it('drops everything after a semicolon in a text', () => {
    const play = start();
    play.step('go to box 3');
    play.step('take ball 1 from box 3');
    expect(play.step('put ball 1 in box 3').feedback).toBe('You put the ball 1 down');
  });

  it('copies a backslash in a text, and reads one in an expression as Python does', () => {
    const grammar = SMALL.grammar.replace('You are at {to}.', 'a\\n{\'b\\n\'}"c" d');
    expect(start({ ...SMALL, grammar: grammar.replace('"c" d', 'c d') }).step('go to box 1').feedback).toBe(
      'a\\nb\nc d',
    );
  });

  it('has explicit negatives only between a delete and an add', () => {
    const play = start();
    expect(play.step('look').feedback).toBe('Nowhere.');
    play.step('go to box 3');
    expect(play.step('look').feedback).toBe('Here: a box 3. Gone: nothing.');
    play.step('take ball 1 from box 3');
    expect(play.step('look').feedback).toBe('Here: a box 3. Gone: ball 1.');
    play.step('put ball 1 in box 3');
    expect(play.step('look').feedback).toBe('Here: a box 3. Gone: nothing.');
  });

  it('continues after a win', () => {
    const play = start();
    for (const command of ['go to box 3', 'take ball 1 from box 3', 'go to box 2'])
      expect(play.step(command).won).toBe(false);
    expect(play.step('put ball 1 in box 2').won).toBe(true);
    expect(play.step('take ball 1 from box 2').won).toBe(false);
    expect(play.moves).toBe(5);
  });

  it('strips white space around a command and nothing else', () => {
    const play = start();
    expect(play.step(' look\n').accepted).toBe(true);
    expect(play.step('LOOK').accepted).toBe(false);
    expect(play.step('go  to box 1').accepted).toBe(false);
  });

  it('ignores texts of actions that are not in the domain', () => {
    expect(start().step('fly')).toMatchObject({ accepted: false });
  });
});

describe('names', () => {
  it('count down along the sorted ids, including basins with their part and locations', () => {
    const ids = [
      'agent1',
      'loc_bar_1',
      'mug_bar__minus_1',
      'mug_bar__plus_1',
      'sink_bar_1_bar_sinkbasin',
      'sink_bar_2',
    ];
    expect(Object.fromEntries(displayNames(ids))).toEqual({
      agent1: 'agent1 ',
      loc_bar_1: 'loc 1',
      mug_bar__minus_1: 'mug 2',
      mug_bar__plus_1: 'mug 1',
      sink_bar_1_bar_sinkbasin: 'sinkbasin 1',
      sink_bar_2: 'sink 1',
    });
  });
});

describe('a bad game', () => {
  const broken = (change: Partial<typeof SMALL>) => () => {
    const play = start({ ...SMALL, ...change });
    for (const command of play.admissible) play.step(command);
  };

  it.each([
    ['a truncated problem', { problem: SMALL_PROBLEM.slice(0, 300) }, /never closed/],
    ['no problem', { problem: 'hello' }, /not one list/],
    ['a problem without a goal', { problem: '(define (problem p) (:domain d) (:init))' }, /no :goal/],
    ['an unknown section', { domain: SMALL.domain.replace('(:types', '(:derived') }, /":derived"/],
    [
      'a durative action',
      { domain: SMALL.domain.replace('(:action Look', '(:durative-action Look') },
      /":durative-action"/,
    ],
    [
      'a preference',
      { domain: SMALL.domain.replace('(not (holdsAny ?a))', '(preference (holdsAny ?a))') },
      /"preference"/,
    ],
    [
      'an unknown predicate',
      { domain: SMALL.domain.replace('(holds ?a ?o))\n   :effect (seen', '(likes ?a ?o))\n   :effect (seen') },
      /"likes"/,
    ],
    ['a numeric goal', { problem: SMALL_PROBLEM.replace('(exists', '(> (total-cost) 3) (exists') }, /">"/],
    [
      'an undeclared variable',
      { domain: SMALL.domain.replace('(holds ?a ?o))\n   :effect (and (in', '(holds ?a ?z))\n   :effect (and (in') },
      /\?z/,
    ],
    ['a grammar that is not JSON', { grammar: SMALL_GRAMMAR.replace('{"intro"', '{intro') }, /not JSON/],
    ['a truncated grammar', { grammar: SMALL_GRAMMAR.slice(0, 500) }, /cannot be read/],
    ['a missing symbol', { grammar: SMALL_GRAMMAR.replace('"look":', '"gaze":') }, /no symbol #look#/],
    [
      'a symbol that contains itself',
      { grammar: SMALL_GRAMMAR.replace('#here#. Gone', '#look#. Gone') },
      /contains itself/,
    ],
    ['code in an expression', { grammar: SMALL_GRAMMAR.replace('{o.id or o.name}', '{o.__class__}') }, /not supported/],
    ['endless brackets', { domain: '('.repeat(100_000) }, /nested deeper/],
  ])('with %s is refused with a message', (_, change, message) => {
    expect(broken(change)).toThrow(
      expect.objectContaining({ name: 'GameFileError', message: expect.stringMatching(message) }),
    );
  });
});
