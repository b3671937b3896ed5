import { describe, expect, it } from 'vitest';
import { box, discrete, image } from '../spaces/spaces.js';
import { spaceDialogue } from './space-dialogue.js';

const picture = { data: new Uint8Array(12), height: 2, width: 2, channels: 3 as const };

describe('spaceDialogue', () => {
  const cart = spaceDialogue({
    title: 'CartPole-v1',
    observationSpace: box({ low: -1, high: 1, shape: [2] }),
    actionSpace: discrete(2, { start: 3 }),
    actionNames: ['left', 'right'],
    picture: () => picture,
  });

  it('lists the names of discrete actions and reads them back', () => {
    expect(cart.parse('{"thoughts": "go", "action": "right"}').action).toBe(4);
    expect(cart.parse(cart.demonstrate!({ observation: 0, info: {}, history: [] }, 3)).action).toBe(3);
    expect(cart.parse('up').legal).toBe(false);
    expect(cart.choices!({ observation: 0, info: {}, history: [] })).toEqual([3, 4]);
  });

  it('shows numbers as text next to the picture of the state', () => {
    const [, user] = cart.prompt({ observation: Float32Array.of(0.5, 0), info: {}, history: [] });
    expect(user!.content).toEqual([
      { type: 'text', text: expect.stringContaining('Observation: [0.5,0]') },
      { type: 'image', image: picture },
    ]);
  });

  it('shows a picture that is the observation once', () => {
    const pong = spaceDialogue({
      title: 'Pong',
      observationSpace: image({ height: 2, width: 2 }),
      actionSpace: discrete(2),
      picture: () => picture,
    });
    const [, user] = pong.prompt({ observation: picture, info: {}, history: [] });
    expect((user!.content as unknown[]).length).toBe(2);
  });

  it('reads a continuous action as JSON data, and says what is wrong with another one', () => {
    const pendulum = spaceDialogue({
      title: 'Pendulum-v1',
      observationSpace: box({ low: -8, high: 8, shape: [3] }),
      actionSpace: box({ low: -2, high: 2, shape: [1] }),
    });
    expect(pendulum.parse('{"thoughts": "", "action": [0.5]}')).toMatchObject({
      action: Float32Array.of(0.5),
      legal: true,
    });
    expect(pendulum.parse('{"action": [7]}')).toMatchObject({ legal: false, reason: 'unknown-action' });
    expect(pendulum.parse('')).toMatchObject({ legal: false, reason: 'empty' });
  });
});
