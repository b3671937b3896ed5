/** Observations in words: as much as the picture shows, and no more. */
import { createHash } from 'node:crypto';
import { type AnyEnv, checkEnv, type EnvSnapshot, make, messageText, promptImages, type RgbImage } from '@vlgym/core';
import { PythonRandom } from '@vlgym/core/random';
import { describe, expect, it } from 'vitest';
import '../register.js';
import { DIALOGUE_STYLES } from '../dialogue/style.js';
import { BlackjackEnv, BlackjackV1Env, NumberLineEnv, Points24Env } from '../index.js';

const IDS = [
  'gym_cards/NumberLine-v0',
  'gym_cards/EZPoints-v0',
  'gym_cards/Points24-v0',
  'gym_cards/Blackjack-v0',
  'vlgym/NumberLine-v1',
  'vlgym/EZPoints-v1',
  'vlgym/Points24-v1',
  'vlgym/Blackjack-v1',
  'vlgym/Signs-v1',
  'vlgym/Signs-v2',
];
const made = (id: string, options: Readonly<Record<string, unknown>>): Promise<AnyEnv> =>
  make(id, { options }) as Promise<AnyEnv>;
const hash = ({ data }: RgbImage) => createHash('sha1').update(data).digest('hex');

describe.each(IDS)('%s in words', (id) => {
  it('has equal words if, and only if, the pictures are equal', async () => {
    const [drawn, told] = [await made(id, {}), await made(id, { observation: 'text' })];
    const [wordsOf, pictureOf] = [new Map<string, string>(), new Map<string, string>()];
    const random = new PythonRandom(5);
    for (let seed = 0; seed < 25; seed += 1) {
      let [picture, words] = [await drawn.reset({ seed }), await told.reset({ seed })];
      for (let step = 0; step < 8; step += 1) {
        const [key, text] = [hash(picture.observation as RgbImage), words.observation as string];
        expect(wordsOf.get(key) ?? text).toBe(text);
        expect(pictureOf.get(text) ?? key).toBe(key);
        wordsOf.set(key, text);
        pictureOf.set(text, key);
        expect(words.info).toEqual(picture.info);
        const action = random.below((drawn.actionSpace as unknown as { n: number }).n);
        const [a, b] = [await drawn.step(action), await told.step(action)];
        expect({ ...b, observation: 0 }).toEqual({ ...a, observation: 0 });
        if (a.terminated || a.truncated) break;
        [picture, words] = [a, b];
      }
    }
    expect(wordsOf.size).toBeGreaterThan(10);
  });

  it('meets the contract of every environment, and continues a snapshot of the game in pictures', async () => {
    const report = await checkEnv(() => made(id, { observation: 'text' }) as never, { steps: 20 });
    expect(report.findings).toEqual([]);
    const [drawn, told] = [await made(id, {}), await made(id, { observation: 'text' })];
    await drawn.reset({ seed: 3 });
    told.restore!(JSON.parse(JSON.stringify(drawn.snapshot!())));
    const [a, b] = [await drawn.step(0), await told.step(0)];
    expect({ ...b, observation: 0 }).toEqual({ ...a, observation: 0 });
    expect(typeof b.observation).toBe('string');
  });

  it.each(DIALOGUE_STYLES)('has prompts of %s that do not speak of a picture', async (dialogue) => {
    for (const actionOnly of [false, true]) {
      const env = await made(id, { observation: 'text', dialogue, actionOnly });
      const { observation, info } = await env.reset({ seed: 1 });
      const prompt = env.dialogue!.prompt({ observation, info, history: [] });
      expect(promptImages(prompt)).toEqual([]);
      expect(messageText(prompt[0]!)).toContain(`${observation}\n`);
      expect(messageText(prompt[0]!)).not.toMatch(/picture|image/i);
      expect(env.dialogue!.version).toMatch(/\/text$/);
      const said = env.dialogue!.demonstrate!(
        { observation, info, history: [] },
        env.oracle!() ?? (env.actionSpace as unknown as { n: number }).n - 1,
      );
      expect(env.dialogue!.parse(said, { observation, info, history: [] }).legal).toBe(true);
    }
  });
});

it.each([
  [() => new NumberLineEnv({ observation: 'text' }), 'Target: 4\nCurrent: 1'],
  [
    () => new Points24Env({ observation: 'text' }),
    'Cards: 3 of hearts, 10 of diamonds, K of hearts, K of clubs\nFormula:',
  ],
  [
    () => new BlackjackEnv<string>({ observation: 'text' }),
    'Dealer: 7 of hearts, a hidden card\nPlayer: 2 of spades, J of clubs',
  ],
])('reads like this', (start, expected) => {
  expect(start().reset({ seed: 1 }).observation).toBe(expected);
});

describe('Blackjack', () => {
  const handOf = (env: BlackjackEnv<string>, hands: object) => {
    env.reset({ seed: 0 });
    const { kind, state } = env.snapshot() as EnvSnapshot & { readonly state: object };
    env.restore({ kind, state: { ...state, hands } });
    return env.step(0).observation;
  };
  const [ace, six, king] = [
    [1, 'A', 'S'],
    [6, '6', 'D'],
    [10, 'K', 'C'],
  ];

  it("does not tell the dealer's hidden card, nor what the dealer draws, nor a total", () => {
    const env = new BlackjackV1Env<string>({ observation: 'text' });
    const words = handOf(env, { dealer: [six, ace], player: [king, ace] });
    expect(words).toBe('Dealer: 6 of diamonds, a hidden card\nPlayer: K of clubs, A of spades');
    expect(handOf(env, { dealer: [six, king], player: [king, ace] })).toBe(words);
  });

  it('leaves out the cards that lie outside the published picture', () => {
    const player = [ace, ace, six, ace, king, ace];
    const shown = handOf(new BlackjackEnv<string>({ observation: 'text' }), { dealer: [six, ace], player });
    expect(shown).not.toContain('K of clubs');
    const narrow = handOf(new BlackjackV1Env<string>({ observation: 'text' }), { dealer: [six, ace], player });
    expect(narrow).toContain('6 of diamonds, A of spades, K of clubs, A of spades');
  });

  it('shows totals or words, not both', () => {
    const make = () => new BlackjackEnv({ observation: 'text', isPixel: false });
    expect(make).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
  });
});

it('draws nothing into a buffer, but renders the picture of the current state', () => {
  const env = new NumberLineEnv({ observation: 'text', renderMode: 'rgb_array' });
  const drawn = new NumberLineEnv();
  expect(() => env.drawInto(new Uint8Array(3 * 300 * 300))).toThrow(
    expect.objectContaining({ code: 'INVALID_OPTION' }),
  );
  const { observation } = drawn.reset({ seed: 4 });
  env.reset({ seed: 4 });
  expect(env.render()).toEqual(observation);
});
