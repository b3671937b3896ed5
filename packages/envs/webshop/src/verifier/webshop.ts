/**
 * `vlgym verify webshop`: fresh catalogs, episodes and queries in our text environment and in the original's.
 *
 * The original is WebShop's own `web_agent_text_env.py` with its templates, goals and rewards, and Lucene as Anserini 0.14.3
 * packs it. Without Java its search is replaced by ours, and the report says so. Nouns of titles come from our
 * tagger in both: spaCy's model is in no package index.
 */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Generator, type ResetResult, type StepResult } from '@vlgym/core';
import type { Verification, VerificationExtent, VerificationReport } from '@vlgym/core/registry';
import { OriginalProcess, OriginalPython, scriptBeside, Tally } from '@vlgym/core/verification';
import { z } from 'zod';
import type { WebShopInfo } from '../env/info.js';
import { WebShopEnv } from '../env/text-env.js';
import type { RewardParts } from '../reward/reward.js';
import { indexProducts } from '../search/build-index.js';
import type { SearchIndex } from '../search/search-index.js';
import { parseAction } from '../shop/action.js';
import type { Shop } from '../shop/shop.js';
import { drawActions, drawQuery } from './draw-episode.js';
import { openBothShops } from './original-shop.js';

/** A folder with `web_agent_site`, e.g. a clone of princeton-nlp/WebShop. */
const SOURCES = 'VLGYM_WEBSHOP_ORIGINAL';
const JAR = 'anserini-0.14.3-fatjar.jar';
/** Products of a catalog, and episodes that are played in it. */
const PRODUCTS = 400;
const EPISODES_OF_A_CATALOG = 20;
/** Queries for each episode. */
const QUERIES = 10;
/** Lucene adds in single precision and in a different order. */
const SCORE_TOLERANCE = 1e-3;

export const python: OriginalPython = new OriginalPython({
  name: 'webshop',
  requirements: [
    'flask==2.1.2',
    'werkzeug==2.1.2',
    'beautifulsoup4==4.11.1',
    'thefuzz==0.19.0',
    'numpy>=1.26,<3',
    'pyjnius==1.6.1',
  ],
  async finish(made, setup) {
    const script = scriptBeside(import.meta.url, 'fetch_original.py');
    const hint = `clone https://github.com/princeton-nlp/WebShop and set ${SOURCES} to its folder`;
    await made.run(made.executable, [script, process.env[SOURCES] ? '-' : sources(), made.folder], setup, hint);
  },
  isFinished: () => existsSync(join(sources(), 'web_agent_site')) && existsSync(join(python.folder, JAR)),
});

export const sources = (): string => process.env[SOURCES] || join(python.folder, 'webshop');

export const webshop: Verification = {
  missing() {
    if (python.interpreter === undefined) return "the original's Python";
    const folder = sources();
    return existsSync(join(folder, 'web_agent_site')) ? undefined : `the folder web_agent_site in ${folder}`;
  },
  setup: (options) => python.setup(options),
  compare,
};

const available = z.object({ has_search_bar: z.boolean(), clickables: z.array(z.string()) });
const firstRow = z.tuple([z.string(), z.string(), available]);
const laterRow = z.tuple([z.string(), z.string(), available, z.number(), z.boolean()]);
export const played = z.object({ rows: z.tuple([firstRow], laterRow), parts: z.record(z.string(), z.number()) });
const found = z.array(z.array(z.tuple([z.string(), z.number()])));

const hasJava = () => spawnSync('java', ['-version'], { stdio: 'ignore' }).status === 0;

async function compare({ episodes, seed, signal }: VerificationExtent): Promise<VerificationReport> {
  const kinds = [
    'prices',
    'goals',
    'observations',
    'addresses',
    'available actions',
    'rewards',
    'ends',
    'reward parts',
  ];
  const tally = new Tally([...kinds, 'hits of queries', 'scores of queries']);
  const jar = join(python.folder, JAR);
  const lucene = existsSync(jar) && hasJava();
  const script = scriptBeside(import.meta.url, 'original.py');
  const original = new OriginalProcess({ command: [python.interpreter!, script, sources(), lucene ? jar : '-'] });
  try {
    for (let first = 0; first < episodes && !signal?.aborted; first += EPISODES_OF_A_CATALOG) {
      const shop = await openBoth(tally, original, seed + first);
      const last = Math.min(first + EPISODES_OF_A_CATALOG, episodes);
      for (let episode = first; episode < last && !signal?.aborted; episode += 1) {
        await compareEpisode(tally, original, shop, seed + episode);
        if (lucene) await compareQueries(tally, original, shop, seed + episode);
      }
    }
  } finally {
    await original.close();
  }
  const agreements = tally.agreements.filter(({ what }) => lucene || !what.endsWith('queries'));
  const search = lucene
    ? 'search: Lucene as in Anserini 0.14.3, indexed afresh for every catalog'
    : 'search is not compared: Java or Anserini is absent, so the original searched with our engine';
  return { agreements, notes: [search, 'nouns of titles come from our tagger in both; the original uses spaCy'] };
}

/** Loads a fresh catalog into both shops. */
async function openBoth(tally: Tally, original: OriginalProcess, seed: number): Promise<Shop> {
  const { ours, asins, theirs } = await openBothShops(original, PRODUCTS, seed);
  const place = `catalog ${seed}`;
  for (const asin of asins) tally.equal('prices', `${place}, ${asin}`, ours.price(asin), theirs.prices[asin]);
  tally.equal('goals', place, ours.goals.length, theirs.goals.length);
  for (const [index, { instruction, weight, priceUpper }] of ours.goals.entries()) {
    tally.equal('goals', `${place}, goal ${index}`, [instruction, weight, priceUpper], theirs.goals[index]);
  }
  return ours;
}

const MODES = ['text', 'text_rich', 'url'] as const;

async function compareEpisode(tally: Tally, original: OriginalProcess, shop: Shop, seed: number): Promise<void> {
  const random = new Generator(seed);
  const goal = random.integers(shop.goals.length);
  const mode = MODES[random.integers(MODES.length)]!;
  const env = new WebShopEnv({ observationMode: mode, afterDone: 'continue' }, shop);
  let last: StepResult<string, WebShopInfo> | ResetResult<string, WebShopInfo> = env.reset({ seed, options: { goal } });
  const ours: (readonly unknown[])[] = [rowOf(last)];
  const actions: string[] = [];
  const results: Record<string, readonly string[]> = {};
  let parts: RewardParts | undefined;
  for (const action of drawActions(shop, () => last.info, random)) {
    const step = env.step(action);
    const { name, argument } = parseAction(action);
    if (name === 'search' && argument !== undefined) {
      results[argument] = shop.find(argument).map((position) => shop.products.at(position).asin);
    }
    actions.push(action);
    ours.push([...rowOf(step), step.reward, step.terminated]);
    parts = step.info.rewardParts ?? parts;
    last = step;
  }
  const theirs = played.parse(await original.ask({ do: 'play', goal, mode, actions, results }));
  const columns = ['observations', 'addresses', 'available actions', 'rewards', 'ends'];
  for (const [index, row] of ours.entries()) {
    const where = `goal ${goal}, ${mode}, actions ${JSON.stringify(actions.slice(0, index))}`;
    for (const [column, value] of row.entries()) {
      tally.equal(columns[column]!, where, value, theirs.rows[index]?.[column]);
    }
  }
  const numbers = Object.fromEntries(Object.entries(parts ?? {}).map(([name, value]) => [name, Number(value)]));
  tally.equal('reward parts', `goal ${goal}, actions ${JSON.stringify(actions)}`, numbers, theirs.parts);
}

function rowOf({ observation, info }: { observation: string; info: WebShopInfo }): unknown[] {
  const { hasSearchBar, clickables } = info.availableActions;
  return [observation, info.url, { has_search_bar: hasSearchBar, clickables }];
}

async function compareQueries(tally: Tally, original: OriginalProcess, shop: Shop, seed: number): Promise<void> {
  const random = new Generator(seed + 1_000_000);
  const queries = Array.from({ length: QUERIES }, () => drawQuery(shop, random));
  const answers = found.parse(await original.ask({ do: 'search', queries }));
  const index = indexOf(shop);
  for (const [number, query] of queries.entries()) {
    const hits = index.search(query, 50);
    const theirs = answers[number]!;
    const asins = hits.map(({ position }) => shop.products.at(position).asin);
    tally.equal(
      'hits of queries',
      query,
      asins,
      theirs.map(([asin]) => asin),
    );
    const scores = theirs.map(([, score]) => score);
    tally.near(
      'scores of queries',
      query,
      hits.map(({ score }) => score),
      scores,
      SCORE_TOLERANCE,
    );
  }
}

const indexes = new WeakMap<Shop, SearchIndex>();

function indexOf(shop: Shop): SearchIndex {
  const made = indexes.get(shop) ?? indexProducts(shop.products);
  indexes.set(shop, made);
  return made;
}
