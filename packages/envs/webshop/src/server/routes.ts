/**
 * The addresses of the shop's pages: each contains the full state, so that the back button and hand-written addresses work.
 *
 * Section 2.3 of `docs/specs/webshop.md`. Both forms of the original are accepted: keywords as a Python list or joined
 * with `+`, options as JSON or as a Python map. We write `+` and JSON, percent-encoded.
 */
import { InvalidOptionError } from '@vlgym/core';
import { pythonJson } from '../python/text.js';
import { type Session, SUB_PAGES, type SubPage } from '../shop/session.js';
import { parseOptions, parsePythonList } from './python-literal.js';

export type Route =
  | { readonly page: 'index'; readonly session: string }
  | {
      readonly page: 'results';
      readonly session: string;
      readonly keywords: readonly string[];
      readonly number: number;
    }
  | ({ readonly page: 'item' | 'cart'; readonly session: string } & ProductRoute)
  | ({ readonly page: 'sub-page'; readonly session: string; readonly subPage: SubPage } & ProductRoute)
  | { readonly page: 'done'; readonly session: string; readonly asin: string; readonly options: Options };

interface ProductRoute {
  readonly asin: string;
  readonly keywords: readonly string[];
  readonly number: number;
  readonly options: Options;
}

type Options = ReadonlyMap<string, string>;

const SESSION = /^[\w-]{1,64}$/;

/** @throws {InvalidOptionError} The name cannot be part of an address. */
export function checkedSession(name: unknown): string {
  if (typeof name === 'string' && SESSION.test(name)) return name;
  throw new InvalidOptionError('session', name, '1 to 64 letters, digits, "_" or "-"');
}

/** The address of a session's page. */
export function routeOf({ id, page, subPage, keywords, pageNumber, asin, options }: Session): Route {
  const place = { session: id, keywords: keywords ?? [], number: pageNumber ?? 1 };
  const product = { ...place, asin: asin!, options };
  switch (page) {
    case 'index':
      return { page, session: id };
    case 'results':
      return { page, ...place };
    case 'sub-page':
      return { page, subPage: subPage!, ...product };
    case 'item':
    case 'cart':
      return { page, ...product };
    case 'done':
      return { page, session: id, asin: asin!, options };
  }
}

/** @param path  Path of a request, without the query. */
export function parseRoute(path: string): Route | undefined {
  let parts: string[];
  try {
    parts = path.split('/').slice(1).map(decodeURIComponent);
  } catch {
    return undefined; // not percent-encoded
  }
  const [first = '', session = '', third = '', fourth = '', fifth = '', sixth = '', seventh = ''] = parts;
  if (parts.length === 1) return SESSION.test(first) ? { page: 'index', session: first } : undefined;
  if (!SESSION.test(session)) return undefined;
  switch (first) {
    case 'search_results': {
      const number = pageNumber(fourth);
      return number === undefined ? undefined : { page: 'results', session, keywords: keywordsOf(third), number };
    }
    case 'item_page':
    case 'cart': {
      const about = productRoute(third, fourth, fifth, sixth);
      return about && { page: first === 'cart' ? 'cart' : 'item', session, ...about };
    }
    case 'item_sub_page': {
      const about = productRoute(third, fourth, fifth, seventh);
      const subPage = SUB_PAGES.find((name) => name === sixth);
      return about && subPage && { page: 'sub-page', session, subPage, ...about };
    }
    case 'done': {
      const options = parseOptions(fourth || '{}');
      return options && { page: 'done', session, asin: third, options };
    }
    default:
      return undefined;
  }
}

function productRoute(asin: string, keywords: string, number: string, options: string): ProductRoute | undefined {
  const page = pageNumber(number);
  const chosen = parseOptions(options || '{}');
  return page === undefined || !chosen
    ? undefined
    : { asin, keywords: keywordsOf(keywords), number: page, options: chosen };
}

const keywordsOf = (text: string) => parsePythonList(text) ?? text.split('+');

function pageNumber(text: string): number | undefined {
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined;
}

export function formatRoute(route: Route): string {
  const { session } = route;
  const join = (...parts: readonly (string | number)[]) =>
    `/${parts.map((part) => encodeURIComponent(part)).join('/')}`;
  switch (route.page) {
    case 'index':
      return join(session);
    case 'results':
      return join('search_results', session, keywordsText(route.keywords), route.number);
    case 'item':
    case 'cart':
      return join(
        route.page === 'cart' ? 'cart' : 'item_page',
        session,
        route.asin,
        keywordsText(route.keywords),
        route.number,
        pythonJson(route.options),
      );
    case 'sub-page':
      return join(
        'item_sub_page',
        session,
        route.asin,
        keywordsText(route.keywords),
        route.number,
        route.subPage,
        pythonJson(route.options),
      );
    case 'done':
      return join('done', session, route.asin, pythonJson(route.options));
  }
}

/** Words that contain `+` or look like a list need the list form. */
function keywordsText(keywords: readonly string[]): string {
  const joined = keywords.join('+');
  const plain = !joined.includes('+') || !keywords.some((word) => word.includes('+'));
  const read = plain && !/^\.{1,2}$/.test(joined) && parsePythonList(joined) === undefined; // a path loses ".."
  return read ? joined : `[${keywords.map((word) => JSON.stringify(word)).join(', ')}]`;
}
