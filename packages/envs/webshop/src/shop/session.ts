/**
 * A visit to the shop as data: the open page, and what was searched, opened, and chosen.
 *
 * Section 2 of `docs/specs/webshop.md`. The kind of page is a field here. The original infers it from the URL, which
 * fails for queries that contain a word such as `item_page`.
 */
import type { Goal } from '../goals/goal.js';
import { pythonDict, pythonJson } from '../python/text.js';
import type { RewardParts } from '../reward/reward.js';

export const SUB_PAGES = ['Description', 'Features', 'Reviews', 'Attributes'] as const;
export type SubPage = (typeof SUB_PAGES)[number];

export type PageKind = 'index' | 'results' | 'item' | 'sub-page' | 'cart' | 'done';

/** Counters, named as in the original. */
export type SessionCounts = Partial<Record<'search' | 'asin' | 'options' | 'purchase' | SubPage, number>>;

export interface Session {
  readonly id: string;
  readonly goal: Goal;
  readonly goalIndex: number;
  page: PageKind;
  /** The open sub-page, if `page` is `sub-page`. */
  subPage: SubPage | null;
  keywords: readonly string[] | null;
  /** Number of the results page, from 1. */
  pageNumber: number | null;
  /** Positions of the hits of the last search, best first; at most 50, except for shortcuts. */
  hits: readonly number[];
  asin: string | null;
  /** Opened products. */
  asins: Set<string>;
  /** Chosen options, in order of choice. */
  options: Map<string, string>;
  /** Options chosen on other products, in shops that keep them. */
  kept: Map<string, Map<string, string>>;
  counts: SessionCounts;
  done: boolean;
  reward: number | null;
  parts: RewardParts | null;
}

export function newSession(id: string, goal: Goal, goalIndex: number): Session {
  return {
    id,
    goal,
    goalIndex,
    page: 'index',
    subPage: null,
    keywords: null,
    pageNumber: null,
    hits: [],
    asin: null,
    asins: new Set(),
    options: new Map(),
    kept: new Map(),
    counts: {},
    done: false,
    reward: null,
    parts: null,
  };
}

const BASE_URL = 'http://127.0.0.1:3000';

/** The URL as in the original's text environment: without percent-encoding, with options in Python's format. */
export function sessionUrl(session: Session, base = BASE_URL): string {
  const { id, page, keywords, pageNumber, asin, options, subPage } = session;
  const search = `${(keywords ?? []).join('+')}/${pageNumber}`;
  switch (page) {
    case 'index':
      return `${base}/${id}`;
    case 'results':
      return `${base}/search_results/${id}/${search}`;
    case 'item':
      return `${base}/item_page/${id}/${asin}/${search}/${pythonJson(options)}`;
    case 'sub-page':
      return `${base}/item_sub_page/${id}/${asin}/${search}/${subPage}/${pythonDict(options)}`;
    case 'cart':
      return `${base}/cart/${id}/${asin}/${search}/${pythonJson(options)}`;
    case 'done':
      return `${base}/done/${id}/${asin}/${pythonDict(options)}`;
  }
}
