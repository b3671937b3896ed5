/**
 * WebShop as conversations, an episode per example: search for what the instruction says, open the first product below its
 * price, choose the options that it names, buy. All of this can be read off the pages; where the product that is meant can
 * only be guessed, nothing is to be learned from labels that know it.
 */
import type { AnyEnv, ChatMessage, Generator, Turn } from '@vlgym/core';
import type { WebShopInfo } from '@vlgym/webshop';
import { codeCopy, productCode, wordCopy } from './copies.js';
import type { Example, Kind, WarmStartPlan } from './lesson.js';
import { shopperChoice } from './shop-notes.js';
import { bargains, wishes } from './shop-pages.js';

export const webshop: WarmStartPlan = {
  env: 'vlgym/WebShop-v1',
  options: { dialogue: 'chat-v1', catalog: { products: 5000, seed: 0 } },
  splits: {
    train: { splitScheme: 'content', split: 'train' },
    test: { splitScheme: 'content', split: 'test' },
  },
  maxNewTokens: 128,
  batch: 4,
  totalExamples: 9_300,
  drills: [
    { name: 'words', share: 0.125, batch: 48, example: wordCopy },
    { name: 'codes', share: 0.125, batch: 16, example: codeCopy },
  ],
  goal: 'the score of the rule baseline',
  measure: 'score',
  mix: [
    { name: 'episode', share: 0.55, example: renewed(episode) },
    { name: 'options', share: 0.2, example: renewed(wishes) },
    { name: 'prices', share: 0.15, example: renewed(bargains) },
    { name: 'codes', share: 0.1, example: codeCopy },
  ],
};

/** Undefined if the search finds nothing. */
async function episode(rng: Generator, env: AnyEnv): Promise<Example | undefined> {
  const dialogue = env.dialogue!;
  const history: Turn[] = [];
  const chosen: string[] = [];
  let { observation, info } = await env.reset({ seed: rng.integers(0, 2 ** 31) });
  const [search] = dialogue.choices!({ observation, info, history }) as string[];
  for (;;) {
    const context = { observation, info, history };
    const choice = shopperChoice(observation as string, info as unknown as WebShopInfo, search!, chosen);
    if (!choice) return undefined;
    const { action, thought } = choice;
    if ((info as unknown as WebShopInfo).page === 'item') chosen.push(action.slice('click['.length, -1));
    const text = [...(thought ? [thought] : []), dialogue.demonstrate!(context, action)].join('\n');
    const result = await env.step(action);
    if (result.terminated || result.truncated) {
      const messages = dialogue.prompt(context);
      const answers = messages.flatMap(({ role }, place) => (role === 'assistant' ? [place] : []));
      return { messages, response: text, answers };
    }
    history.push({ observation, text, action, reward: result.reward });
    ({ observation, info } = result);
  }
}

/** The same with a new code for every product: a catalog's codes would soon be known by heart, and never copied. */
function renewed(example: Kind['example']): Kind['example'] {
  return async (rng, env) => {
    const drawn = await example(rng, env);
    if (!drawn) return undefined;
    const codes = new Map<string, string>();
    const renew = (text: string) =>
      text.replaceAll(/\bB0[A-Z0-9]{8}\b/g, (code) => {
        const other = codes.get(code) ?? productCode(rng);
        codes.set(code, other);
        return other;
      });
    const { messages, response } = drawn;
    return {
      ...drawn,
      messages: messages.map(({ role, content }) => ({ role, content: renew(content as string) }) as ChatMessage),
      response: renew(response),
    };
  };
}
