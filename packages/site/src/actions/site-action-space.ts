/**
 * The action space of a site: any text, with samples that are valid calls on the page that is open.
 *
 * Random letters are no action at all, so a random agent would never leave the first page.
 */
import { type TextMask, TextSpace } from '@vlgym/core/spaces';
import type { SiteElement } from '../observation/site-view.js';

/** Longest action, code points. */
const MAX_LENGTH = 20_000;
const WORDS = ['a', 'tea', '7', 'Ada', 'green', '42'] as const;
/** Share of samples that use an element, on a page with elements. */
const ELEMENT_SHARE = 0.9;
const CALLS_WITHOUT_ELEMENT = ['scroll(0, 400)', 'scroll(0, -400)', "keyboard_press('Tab')", 'noop(100)'] as const;
const TEXT_TYPES = new Set(['text', 'search', 'email', 'tel', 'url', 'password']);
const CLICKED = new Set(['button', 'link', 'radio', 'checkbox', 'tab', 'menuitem', 'option', 'switch']);

export class SiteActionSpace extends TextSpace {
  readonly #elements: () => readonly SiteElement[];

  /** @param elements  Elements of the page that is open; none before the first `reset`. */
  constructor(elements: () => readonly SiteElement[]) {
    super({ minLength: 0, maxLength: MAX_LENGTH });
    this.#elements = elements;
  }

  /** A valid call; with a mask, any text of that mask. */
  override sample(options: { readonly mask?: TextMask; readonly probability?: TextMask } = {}): string {
    if (Object.keys(options).length > 0) return super.sample(options);
    const { generator } = this;
    const calls = this.#elements().flatMap((element) => callsOn(element));
    const usesElement = calls.length > 0 && generator.random() < ELEMENT_SHARE;
    if (!usesElement) return generator.choice(CALLS_WITHOUT_ELEMENT);
    const call = generator.choice(calls);
    return call(generator.integers(2 ** 31));
  }

  override clone(): SiteActionSpace {
    return new SiteActionSpace(this.#elements);
  }
}

/** @param draw  An integer, 0 or more. */
type Call = (draw: number) => string;

/** Calls that this element takes now. */
function callsOn({ mark, role, type, visible, disabled, covered, options = [] }: SiteElement): readonly Call[] {
  if (!visible || disabled || covered !== undefined) return [];
  if (CLICKED.has(role) && type !== 'file') return [() => `click('${mark}')`];
  if (role === 'combobox' && options.length > 0) {
    return [(draw) => `select_option('${mark}', ${JSON.stringify(options[draw % options.length])})`];
  }
  if (role === 'textbox' && type === 'number') return [(draw) => `fill('${mark}', '${draw % 100}')`];
  if (role === 'textbox' && (type === undefined || TEXT_TYPES.has(type))) {
    return [(draw) => `fill('${mark}', '${WORDS[draw % WORDS.length]}')`];
  }
  return [];
}

/** Number and name of the element of an action, for people: `7 Shipping`; the action itself if it names none. */
export function describeCall(action: string, elements: readonly SiteElement[]): string {
  const [, mark] = /^(?:mark\[|click\(')(\d{1,9})/.exec(action) ?? [];
  const found = elements.find((element) => String(element.mark) === mark);
  if (!found) return action;
  const name = found.name.trim().replace(/\s+/g, ' ').slice(0, 60);
  return `${mark} ${name === '' ? found.role : name}`;
}
