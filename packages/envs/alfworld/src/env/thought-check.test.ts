import { readResponse } from '@vlgym/core';
import { describe, expect, it } from 'vitest';
import { AlfworldEnv } from './alfworld.js';
import { DIALOGUE_STYLES, householdDialogue } from './dialogue.js';
import { checkThought } from './thought-check.js';

const task = 'put a hot mug in drawer.';
const atDesk = {
  task,
  admissibleCommands: ['go to drawer 1', 'look', 'open drawer 2', 'take mug 1 from desk 1', 'take pen 2 from desk 1'],
};
const holding = {
  task,
  admissibleCommands: ['go to drawer 1', 'heat mug 1 with microwave 1', 'move mug 1 to microwave 1'],
};

describe('a thought in a household', () => {
  it.each([
    ['My task is to put a hot mug in drawer. I need mug 1, and it is here.', atDesk, true],
    ['My task is to put a mug in drawer. I need mug 1, and it is here.', atDesk, false],
    ['My task is to put a hot mug in drawer. I need pen 2, and it is here.', atDesk, false],
    ['My task is to put a hot mug in drawer. I need mug 2, and it is here.', atDesk, false],
    ['My task is to put a hot mug in drawer. drawer 2 is closed, so I open it.', atDesk, true],
    ['My task is to put a hot mug in drawer. drawer 1 is closed, so I open it.', atDesk, false],
    ['My task is to put a hot mug in drawer. I hold mug 1 and can heat it here.', holding, true],
    ['My task is to put a hot mug in drawer. I hold mug 1 and can cool it here.', holding, false],
    ['My task is to put a hot mug in drawer. I am at microwave 1 and put down what I hold.', holding, true],
    ['need mug: mug 1 here.', atDesk, true],
    ['need mug: mug 3 here.', atDesk, false],
    ['need pen: pen 2 here.', atDesk, false],
    ['need mug: none here.', atDesk, false],
    ['need mug: none here.', holding, true],
    ['second mug: mug 3 in shelf 1.', atDesk, true],
    ['hold mug 1, heat it.', holding, true],
    ['hold mug 2, heat it.', holding, false],
    ['hold mug 1, heat it.', atDesk, false],
    ['hold mug 1, put in shelf.', holding, false],
    ['I look around.', atDesk, undefined],
    ['', atDesk, undefined],
  ])('%j is %s', (said, info, correct) => {
    expect(checkThought(said, info)).toBe(correct);
  });

  it.each(DIALOGUE_STYLES)('is right at every step of the expert, %s', (dialogue) => {
    const env = new AlfworldEnv({ dialogue });
    for (let seed = 0; seed < 4; seed += 1) {
      let { observation, info } = env.reset({ seed });
      for (let action = env.oracle(); action !== undefined; action = env.oracle()) {
        const context = { observation, info, history: [] };
        const text = env.dialogue.demonstrate!(context, action);
        expect([text, readResponse(env.dialogue, text, context).thoughtCorrect]).toEqual([text, true]);
        const result = env.step(action);
        if (result.terminated || result.truncated) break;
        ({ observation, info } = result);
      }
    }
  });

  it('is not checked where only the action is asked for', () => {
    expect(householdDialogue({ actionOnly: true }).check).toBeUndefined();
  });
});

it('lists no command for a turn in which none could be read', () => {
  const context = { observation: 'You see a mug 1.', info: { ...atDesk, taskType: 'other' } as never };
  const turn = { observation: 'x', text: 'hm', action: undefined, reward: 0 };
  for (const style of DIALOGUE_STYLES) {
    const text = JSON.stringify(
      householdDialogue({ style }).prompt({ ...context, history: [turn, { ...turn, text: '' }] }),
    );
    expect(text).not.toContain('undefined');
    expect(text).not.toContain('null');
  }
});
