/**
 * WebShop as conversations, an episode per example: search for what the instruction says, open the product that it means
 * if the page shows it and the first one otherwise, choose the options that it names, buy. The teacher knows which product
 * is meant; the model has to tell from titles and prices. One example in four is a copy of codes.
 */
import type { AnyEnv, ChatMessage, Generator, Turn } from '@vlgym/core';
import type { WebShopInfo } from '@vlgym/webshop';
import { codeCopy, productCode, wordCopy } from './copies.js';
import type { Example, Lesson } from './lesson.js';

interface Shopper {
  readonly plan: { readonly asin: string; readonly options: readonly (readonly [string, string])[] } | undefined;
}

/** Share of examples that are copies all along: an episode has one code to learn from, a copy up to six. */
const COPY_SHARE = 0.25;
const LEAVES = ['back to search', '< prev', 'next >'];

export const webshop: Lesson = {
  env: 'vlgym/WebShop-v1',
  options: { dialogue: 'chat-v1', catalog: { products: 5000, seed: 0 } },
  splits: {
    train: { splitScheme: 'content', split: 'train' },
    test: { splitScheme: 'content', split: 'test' },
  },
  maxNewTokens: 128,
  batch: 4,
  totalExamples: 20_000,
  drills: [
    { share: 0.125, batch: 48, example: wordCopy },
    { share: 0.125, batch: 16, example: codeCopy },
  ],
  goal: 'the score of the rule baseline',
  measure: 'score',
  async *examples(env, rng) {
    for (;;) {
      if (rng.random() < COPY_SHARE) yield codeCopy(rng);
      else yield* episode(env, rng);
    }
  },
};

async function* episode(env: AnyEnv, rng: Generator): AsyncGenerator<Example> {
  const dialogue = env.dialogue!;
  const history: Turn[] = [];
  const chosen = new Set<string>();
  let messages: readonly ChatMessage[] = [];
  let { observation, info } = await env.reset({ seed: rng.integers(0, 2 ** 31) });
  const { plan } = env.unwrapped as unknown as Shopper;
  if (!plan) return;
  for (let over = false; !over && history.length < 12; ) {
    const context = { observation, info, history };
    const action = shopperAction(info as unknown as WebShopInfo, plan, dialogue.choices!(context) as string[], chosen);
    if (action === undefined) return;
    messages = dialogue.prompt(context);
    const result = await env.step(action);
    history.push({ observation, text: dialogue.demonstrate!(context, action), action, reward: result.reward });
    ({ observation, info } = result);
    over = result.terminated || result.truncated;
  }
  const answers = messages.flatMap(({ role }, place) => (role === 'assistant' ? [place] : []));
  yield withOtherCodes({ messages, response: history.at(-1)!.text, answers }, rng);
}

/** The same episode with a new code for every product: a catalog's codes would soon be known by heart, and never copied. */
function withOtherCodes({ messages, response, answers }: Required<Omit<Example, 'labels'>>, rng: Generator): Example {
  const codes = new Map<string, string>();
  const renamed = (text: string) =>
    text.replaceAll(/\bB0[A-Z0-9]{8}\b/g, (code) => {
      const other = codes.get(code) ?? productCode(rng);
      codes.set(code, other);
      return other;
    });
  return {
    messages: messages.map(({ role, content }) => ({ role, content: renamed(content as string) }) as ChatMessage),
    response: renamed(response),
    answers,
  };
}

function shopperAction(
  info: WebShopInfo,
  plan: NonNullable<Shopper['plan']>,
  choices: readonly string[],
  chosen: Set<string>,
): string | undefined {
  if (info.page === 'index') return choices[0];
  const { clickables } = info.availableActions;
  if (info.page === 'results') {
    const products = clickables.filter((name) => !LEAVES.includes(name));
    const meant = plan.asin.toLowerCase();
    const product = products.includes(meant) ? meant : products[0];
    return product && `click[${product}]`;
  }
  if (info.page !== 'item') return undefined;
  const open = plan.options.find(([, value]) => clickables.includes(value) && !chosen.has(value));
  if (!open) return 'click[buy now]';
  chosen.add(open[1]);
  return `click[${open[1]}]`;
}
