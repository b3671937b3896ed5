/** An episode as a conversation. */
import type { ChatMessage, Turn } from '@vlgym/core';
import { describe, expect, it } from 'vitest';
import { WebShopEnv } from '../env/text-env.js';

const open = () => new WebShopEnv({ catalog: { products: 200 }, dialogue: 'chat-v1' });

describe('chat-v1', () => {
  it('begins each prompt with the one before it and what was said, and says the instruction once', () => {
    const env = open();
    let { observation, info } = env.reset({ seed: 4 });
    const history: Turn<string, string>[] = [];
    let before: readonly ChatMessage[] = [];
    for (let over = false; !over; ) {
      const prompt = env.dialogue.prompt({ observation, info, history });
      expect(prompt.slice(0, before.length)).toEqual(before);
      const users = prompt.filter(({ role }) => role === 'user').map(({ content }) => content as string);
      expect(users.filter((text) => text.includes(info.instruction))).toEqual([users[0]]);
      const action = env.oracle()!;
      // an agent may say nothing
      const text = history.length === 1 ? '' : env.dialogue.demonstrate!({ observation, info, history }, action);
      before = [...prompt, { role: 'assistant', content: text || action }];
      history.push({ observation, text, action, reward: 0 });
      ({ observation, info, terminated: over } = env.step(action));
    }
    expect(history.length).toBeGreaterThan(2);
  });

  it('shows things in the letters of the page and reads them in any', () => {
    const env = open();
    env.reset({ seed: 4 });
    const { observation, info } = env.step(env.oracle()!);
    const context = { observation, info, history: [] };
    const [product] = info.availableActions.clickables.filter((name) => /^b0/.test(name));
    const said = env.dialogue.demonstrate!(context, `click[${product}]`);
    expect(said).toBe(`click[${product!.toUpperCase()}]`);
    for (const text of [said, said.toLowerCase(), `It fits.\n${said}\n`]) {
      expect(env.dialogue.parse(text, context)).toMatchObject({ action: `click[${product}]`, legal: true });
    }
  });

  it('reads the last line, with what stands before it as the thought', () => {
    const { dialogue } = open();
    const text = 'I look for shoes.\nThen I buy them.\nsearch[red shoes] \n';
    const parsed = dialogue.parse(text);
    expect(parsed).toMatchObject({ thought: 'I look for shoes.\nThen I buy them.', action: 'search[red shoes]' });
    expect(text.slice(...parsed.spans.action)).toBe('search[red shoes] \n');
    expect(text.slice(...parsed.spans.thought!)).toBe('I look for shoes.\nThen I buy them.\n');
  });

  it.each([
    ['', 'empty'],
    [' \n ', 'empty'],
    ['I search for shoes.', 'no-action'],
    ['search[shoes]\nThat is all.', 'no-action'],
    ['fly[home]', 'no-action'],
    ['click[no such thing]', 'unavailable-action'],
  ])('refuses %j: %s', (text, reason) => {
    const env = open();
    const { observation, info } = env.reset({ seed: 4 });
    const parsed = env.dialogue.parse(text, { observation, info, history: [] });
    expect(parsed).toMatchObject({ legal: false, reason });
    if (reason !== 'empty') expect(parsed.repairHint).toContain('Do one of: search[');
  });
});
