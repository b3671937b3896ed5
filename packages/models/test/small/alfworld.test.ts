/** The examples of `npm run small -- alfworld`: the required object, and its position. */

import { Generator } from '@vlgym/core';
import { describe, expect, it } from 'vitest';
import { examplesOf } from '../../scripts/small/batches.js';
import { HouseholdNotes } from '../../scripts/small/household-notes.js';
import { lessons } from '../../scripts/small/lessons.js';
import { sighting, whereabouts } from '../../scripts/small/sightings.js';
import { openLesson } from './lesson.test-helper.js';

describe('notes of a household', () => {
  const after = (task: string, steps: readonly (readonly [command: string, text: string])[], next: string) => {
    const notes = new HouseholdNotes(task);
    for (const [command, text] of steps) notes.see(command, text);
    return notes.thought(next);
  };
  const shelf = ['go to shelf 1', 'You arrive at shelf 1. On the shelf 1, you see a mug 2, and a pen 1.'] as const;
  const desk = ['go to desk 1', 'You arrive at desk 1. On the desk 1, you see a desklamp 1, and a mug 3.'] as const;
  const take = ['take mug 2 from shelf 1', 'You pick up the mug 2 from the shelf 1.'] as const;
  const clean = ['clean mug 2 with sinkbasin 1', 'You clean the mug 2 using the sinkbasin 1.'] as const;
  const put = ['move mug 2 to desk 1', 'You move the mug 2 to the desk 1.'] as const;

  it.each<[string, Parameters<typeof after>[1], string, string]>([
    ['put a mug in desk.', [], 'go to shelf 1', 'need mug: none here.'],
    ['put some mug on desk.', [shelf], 'take mug 2 from shelf 1', 'need mug: mug 2 here.'],
    ['put some mug on bed.', [shelf, desk], 'go to shelf 1', 'need mug: mug 2 in shelf 1.'],
    ['put a clean mug in desk.', [shelf, take], 'go to sinkbasin 1', 'hold mug 2, clean it.'],
    ['heat some mug and put it in desk.', [shelf, take], 'go to microwave 1', 'hold mug 2, heat it.'],
    ['put a hot mug in desk.', [shelf, take], 'go to microwave 1', 'hold mug 2, heat it.'],
    ['clean some mug and put it in desk.', [shelf, take, clean], 'go to desk 1', 'hold mug 2, put in desk.'],
    // mug 3 is already there
    ['find two mug and put them in desk.', [desk, shelf], 'take mug 2 from shelf 1', 'second mug: mug 2 here.'],
    ['put two mug in desk.', [shelf, take, put], 'go to bed 1', 'second mug: none here.'],
    // it is there, but not clean
    ['put a clean mug in desk.', [desk], 'take mug 3 from desk 1', 'need mug: mug 3 here.'],
    ['look at mug under the desklamp.', [shelf, take], 'go to desk 1', 'hold mug 2, need desklamp: none here.'],
    [
      'examine the mug with the desklamp.',
      [desk, shelf, take],
      'go to desk 1',
      'hold mug 2, need desklamp: desklamp 1 in desk 1.',
    ],
    [
      'examine the mug with the desklamp.',
      [shelf, take, desk],
      'use desklamp 1',
      'hold mug 2, need desklamp: desklamp 1 here.',
    ],
    ['put a pen in desk.', [shelf, take], 'move mug 2 to shelf 1', 'hold mug 2, put away.'],
  ])('for "%s" after %j and before "%s"', (task, steps, next, expected) => {
    expect(after(task, steps, next)).toBe(expected);
  });

  it('name the object that every expert is about to take, use or treat', async () => {
    const env = await openLesson(lessons.alfworld!);
    let taken = 0;
    let episodes = 0;
    for await (const example of examplesOf(lessons.alfworld!.mix, env, new Generator(9))) {
      const { messages, response, labels, answers = [] } = example;
      if (messages[0]!.role !== 'system') continue;
      const last = labels ? [] : [response];
      const said = [...answers.map((place) => String(messages[place]!.content)), ...last].map(
        (text) => JSON.parse(text) as { thoughts: string; action: string },
      );
      for (const { thoughts, action } of said) {
        const [, verb, object] = /^(take|use|clean|heat|cool|move) (\w+ \d+)/.exec(action) ?? [];
        if (!object) continue;
        taken += 1;
        expect(thoughts).toContain(verb === 'take' || verb === 'use' ? `${object} here` : `hold ${object}`);
      }
      episodes += 1;
      if (episodes === 40) break;
    }
    expect(taken).toBeGreaterThan(80);
    await env.close();
  });
});

describe('episodes', () => {
  it('label commands that lead to something, and leave open what was searched', async () => {
    const env = await openLesson(lessons.alfworld!);
    const rng = new Generator(11);
    const seen = { labels: 0, mistakes: 0, repeated: 0 };
    for (let i = 0; i < 20; i += 1) {
      const { messages, answers = [] } = (await lessons.alfworld!.mix[0]!.example(rng, env))!;
      const texts = messages.map(({ content }) => JSON.stringify(content));
      for (let place = 2; place < messages.length; place += 2) {
        if (answers.includes(place)) {
          expect(texts[place]).not.toContain('close ');
          expect(texts[place + 1]).not.toContain('Nothing happens.');
          seen.labels += 1;
        } else {
          seen.mistakes += 1;
          if (texts[place] === texts[place - 2]) seen.repeated += 1;
        }
      }
    }
    expect(seen.labels).toBeGreaterThan(200);
    expect(seen.mistakes).toBeGreaterThan(seen.labels / 20);
    expect(seen.repeated).toBeGreaterThan(2);
    await env.close();
  });
});

describe('sightings', () => {
  it('say of each receptacle whether the object of the task is there, and take it from the first where it is', async () => {
    const env = await openLesson(lessons.alfworld!);
    const rng = new Generator(8);
    for (let i = 0; i < 20; i += 1) {
      const { messages, response, answers } = (await sighting(rng, env))!;
      const texts = [...messages.map(({ content }) => String(content)), response];
      expect([...answers!, messages.length]).toEqual(texts.flatMap((_, place) => (place % 2 === 1 ? [place] : [])));
      let name = '';
      for (const [place, text] of texts.entries()) {
        if (place % 2 === 0) {
          const sentence = /^Your task is to: (.+)$/m.exec(text)?.[1];
          if (sentence) name = /^need (\w+):/.exec(new HouseholdNotes(sentence).thought('look'))![1]!;
          continue;
        }
        const { thoughts, action } = JSON.parse(text) as { thoughts: string; action?: string };
        const seen =
          texts[place - 1]!.split('\n')
            .at(-1)!
            .match(new RegExp(`\\b${name} \\d+`, 'g')) ?? [];
        expect(thoughts).toBe(`need ${name}: ${seen.length > 0 ? `${seen[0]} here` : 'none here'}.`);
        expect(seen.length).toBe(action === undefined ? 0 : 1);
        if (action === undefined) continue;
        const [, object, receptacle] = /^take (\w+ \d+) from (\w+ \d+)$/.exec(action)!;
        expect(object).toBe(seen[0]);
        expect(texts[place - 1]).toContain(receptacle);
        name = '';
      }
    }
    await env.close();
  });
});

describe('whereabouts', () => {
  it('say of each object whether the text before them names one', async () => {
    const env = await openLesson(lessons.alfworld!);
    const rng = new Generator(10);
    const counts = { here: 0, none: 0 };
    for (let i = 0; i < 10; i += 1) {
      // a household with little to see has none
      const { response = '', labels = [] } = (await whereabouts(rng, env)) ?? {};
      for (const [start, end] of labels) {
        const name = /need (\w+):$/.exec(response.slice(0, start))![1]!;
        const text = response.slice(0, start).split('\n').at(-2)!;
        const seen = text.match(new RegExp(`\\b${name} \\d+`, 'g')) ?? [];
        expect(seen.length).toBeLessThan(2);
        expect(response.slice(start, end)).toBe(seen.length > 0 ? ` ${seen[0]} here.` : ' none here.');
        counts[seen.length > 0 ? 'here' : 'none'] += 1;
      }
    }
    expect(Math.min(counts.here, counts.none)).toBeGreaterThan(50);
    await env.close();
  });
});
