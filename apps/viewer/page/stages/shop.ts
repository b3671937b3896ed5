/** A page of the shop: what is wanted, what can be clicked, and what was. */
import { make, type Stage, scrolled, textsIn, unseen } from './stage.js';

/** The code of a product begins its entry in a list. */
const PRODUCT = /^B[0-9A-Z]{9}$/;
const SEPARATOR = ' [SEP] ';

export const shop: Stage = ({ info = {}, observation = '', action = '' }, element) => {
  const { instruction, page, availableActions } = info;
  if (typeof instruction === 'string') element.append(make('p', 'wanted', instruction));
  const { hasSearchBar, clickables } = (availableActions ?? {}) as Record<string, unknown>;
  const [, kind, chosen = ''] = /^(search|click)\[(.*)\]$/s.exec(action) ?? [];
  const title = typeof page === 'string' ? `Page: ${page}` : 'Page';
  element.append(make('h4', '', title));
  if (hasSearchBar === true) {
    const words = kind === 'search' ? `searched: ${chosen}` : 'search bar';
    element.append(make('p', `searchbar ${kind === 'search' ? 'taken' : ''}`, words));
  }
  const links = new Set(textsIn(clickables).map((each) => each.toLowerCase()));
  const texts = observation.split(SEPARATOR).filter((each) => each !== instruction && each !== 'Instruction:');
  const items = texts.map((words) => {
    const isLink = links.has(words.toLowerCase());
    const isTaken = kind === 'click' && words.toLowerCase() === chosen.toLowerCase();
    const label = make('span', `${isLink ? 'chip' : ''} ${isTaken ? 'taken' : ''}`, words);
    return make('li', PRODUCT.test(words) ? 'product' : '', isTaken ? [label, unseen(', clicked')] : [label]);
  });
  element.append(scrolled(items));
};
