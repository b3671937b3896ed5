/** The words for people in a household: goal and score, why a command is not possible, how the task ended. */
import { findRegistration } from '@vlgym/core';
import { guideOf } from '@vlgym/core/registry';
import { describe, expect, it } from 'vitest';
import '../register.js';
import { AlfworldEnv } from './alfworld.js';

describe('what people are told', () => {
  it('refuses what would cost a step without effect, and names what was probably meant', () => {
    const env = new AlfworldEnv();
    const { info } = env.reset({ seed: 3 });
    const place = info.admissibleCommands.find((command) => command.startsWith('go to'))!;
    expect(env.describeRefusal(place)).toBeUndefined();
    expect(env.describeRefusal(`${place}x`)).toContain(`Did you mean "${place}"?`);
    expect(env.describeRefusal('fly to the moon over the mountains')).toMatch(/is not possible here and now\. Nothing/);
  });

  it('says what the score is made of and how the task ended', () => {
    const guide = (options: object) => guideOf(findRegistration('vlgym/ALFWorld-v1'), { ...options })!;
    expect(guide({}).score).toBe(
      'Finishing the task gives 50, each part of it that is reached for the first time gives 1, an action that is not possible costs 1.',
    );
    expect(guide({ reward: 'sparse' }).score).toBe('Finishing the task gives 1.');
    const env = new AlfworldEnv({ maxSteps: 1 });
    env.reset({ seed: 3 });
    const last = env.step('look');
    expect(env.describeEnd(last)).toMatch(/^The last step is used; \d+ % of the task was reached\.$/);
    expect(env.describeState()).toBe(last.observation.trim());
  });
});
