import { expect, it } from 'vitest';
import { adaptDialogue } from './adapt-dialogue.js';
import type { Dialogue, ParsedResponse, PromptContext } from './dialogue.js';

/** A class with a private field, inherited members, and one that no contract names. */
class Spoken implements Dialogue<number, number> {
  readonly #word = 'count';
  readonly version: string = 'spoken-v1';
  readonly tools = [{ name: 'count', description: 'Count.', parameters: {} }];
  prompt({ observation }: PromptContext<number, number>) {
    return [{ role: 'user' as const, content: `${this.#word} ${observation}` }];
  }
  parse(text: string, context?: PromptContext<number, number>): ParsedResponse<number> {
    const action = context?.observation ?? -1;
    return { thought: '', action, actionText: text, legal: true, formatValid: true, spans: { action: [0, 0] } };
  }
  choices({ observation }: PromptContext<number, number>) {
    return [observation];
  }
  demonstrate(context: PromptContext<number, number>, action: number) {
    return `${this.#word} ${context.observation} ${action}`;
  }
  check(thought: string) {
    return thought === this.#word;
  }
}
class SpokenTwice extends Spoken {
  override readonly version: string = 'spoken-v2';
}

const context: PromptContext<number, number> = { observation: 3, info: {}, history: [] };

it('asks the inner dialogue with the changed context, in every method that gets one', () => {
  const doubled = adaptDialogue(new SpokenTwice(), {
    version: 'doubled-v1',
    context: (given) => ({ ...given, observation: 2 * given.observation }),
    messages: (messages) => [...messages, ...messages],
  });
  expect(doubled.version).toBe('doubled-v1');
  expect(doubled.prompt(context).map(({ content }) => content)).toEqual(['count 6', 'count 6']);
  expect(doubled.choices!(context)).toEqual([6]);
  expect(doubled.demonstrate!(context, 1)).toBe('count 6 1');
  expect([doubled.parse('x', context).action, doubled.parse('x').action]).toEqual([6, -1]);
});

it('keeps every other member, also one that it does not know, and inherited ones', () => {
  const same = adaptDialogue(new SpokenTwice(), {}) as Spoken;
  expect(same.version).toBe('spoken-v2');
  expect(same.tools).toEqual(new Spoken().tools);
  expect([same.check('count'), same.check('no')]).toEqual([true, false]);
  expect(({ ...same } as Spoken).check('count')).toBe(true);
});

it('offers no method that the inner dialogue does not have, and takes a frozen one', () => {
  const { prompt, parse } = new Spoken();
  const bare = adaptDialogue(Object.freeze({ version: 'bare-v1', prompt, parse }) as Dialogue<number, number>, {
    version: 'bare-v2',
  });
  expect([bare.choices, bare.demonstrate, bare.tools, bare.version]).toEqual([
    undefined,
    undefined,
    undefined,
    'bare-v2',
  ]);
});
