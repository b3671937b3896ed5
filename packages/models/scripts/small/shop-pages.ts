/**
 * Pages of the shop with many answers each, next to its lesson: an episode has one price to compare and one list of options to
 * read, in seven hundred tokens.
 */
import type { AnyEnv, ChatMessage, Generator } from '@vlgym/core';
import type { WebShopInfo } from '@vlgym/webshop';
import type { Example } from './lesson.js';
import { choiceOf, namedOptions, offersOf, productBelow } from './shop-notes.js';

/** Prices of one page, and pages of one instruction. */
const PRICES = 8;
const PAGES = 5;

/** A page of results, and the first product below each of several prices. Undefined if the page is empty. */
export async function bargains(rng: Generator, env: AnyEnv): Promise<Example | undefined> {
  const { page } = await search(env, rng);
  const offers = offersOf(page);
  if (offers.length === 0) return undefined;
  let response = '';
  const labels: [number, number][] = [];
  for (let i = 0; i < PRICES; i += 1) {
    // about the first price of an offer, or a round one, as in instructions
    const { price } = offers[rng.integers(0, offers.length)]!;
    const near = Number(/[\d.]+/.exec(price)![0]) * (0.5 + rng.random());
    const limit = (rng.random() < 0.5 ? Math.ceil(near / 10) * 10 : near).toFixed(2);
    const { thought, action } = productBelow(offers, limit);
    const given = `below ${limit}:`;
    response += given;
    const answer = `${thought!.slice(given.length)}\n${action.replace(/b0\w+/, (code) => code.toUpperCase())}`;
    labels.push([response.length, response.length + answer.length]);
    response += `${answer}\n`;
  }
  return { messages: [{ role: 'user', content: page }], response, labels };
}

/** An instruction, and the options that it names on the pages of several products. */
export async function wishes(rng: Generator, env: AnyEnv): Promise<Example | undefined> {
  const { page, info } = await search(env, rng);
  const codes = offersOf(page).map(({ code }) => code.toLowerCase());
  const messages: ChatMessage[] = [];
  for (const place of rng.permutation(codes.length).slice(0, PAGES)) {
    const item = await env.step(`click[${codes[place]}]`);
    const seen = withoutInstruction(item.observation as string, info);
    const content = messages.length === 0 ? `Instruction: ${info.instruction}\n${seen}` : seen;
    messages.push({ role: 'user', content });
    const options = namedOptions(item.observation as string, item.info as unknown as WebShopInfo);
    messages.push({ role: 'assistant', content: choiceOf(options) });
    await env.step('click[< prev]');
  }
  const answers = messages.flatMap(({ role }, place) => (role === 'assistant' ? [place] : []));
  if (answers.length === 0) return undefined;
  return { messages: messages.slice(0, -1), response: String(messages.at(-1)!.content), answers: answers.slice(0, -1) };
}

/** The first page of results for the instruction of a new goal. */
async function search(env: AnyEnv, rng: Generator): Promise<{ readonly page: string; readonly info: WebShopInfo }> {
  const { observation, info } = await env.reset({ seed: rng.integers(0, 2 ** 31) });
  const [action] = env.dialogue!.choices!({ observation, info, history: [] }) as string[];
  const result = await env.step(action);
  const found = result.info as unknown as WebShopInfo;
  return { page: withoutInstruction(result.observation as string, found), info: found };
}

/** As `chat-v1` shows a page. */
const withoutInstruction = (page: string, { instruction }: WebShopInfo): string =>
  page.replace(`Instruction: [SEP] ${instruction} [SEP] `, '');
