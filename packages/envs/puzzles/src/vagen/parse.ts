/**
 * How VAGEN reads an answer: sections in tags, and actions separated by commas. Rules follow mll-lab-nu/VAGEN (MIT) at 2936322a;
 * `test/golden/vagen.json.gz` pins them. The published expressions go back and forth; this reads in linear time.
 */
export const VAGEN_FORMATS = ['free_think', 'wm', 'free_wm'] as const;

/**
 * - `free_think`: thoughts, then the answer.
 * - `wm`: what is observed, thoughts, answer, what will be observed.
 * - `free_wm`: the same, with thoughts in free text between the tags.
 */
export type VagenFormat = (typeof VAGEN_FORMATS)[number];

export interface VagenAnswer {
  /** Lower case, at most the allowed number; words that are no action are kept. */
  readonly actions: readonly string[];
  readonly formatCorrect: boolean;
  readonly think: string;
  /** The answer in its canonical form, without text around it. */
  readonly canonical: string;
  /** Where the answer's tag begins; 0 without one. */
  readonly answerAt: number;
}

/** Tags in order; text may stand between two sections where `false`. */
const SECTIONS: Readonly<Record<VagenFormat, readonly string[]>> = {
  free_think: ['think', 'answer'],
  wm: ['observation', 'think', 'answer', 'prediction'],
  free_wm: ['observation', 'answer', 'prediction'],
};

export function parseVagen(response: string, format: VagenFormat, maxActions: number): VagenAnswer {
  const tags = SECTIONS[format];
  const found = sectionsOf(response, tags, format === 'free_wm');
  const texts = found?.texts ?? tags.map(() => '');
  const answer = texts[tags.indexOf('answer')]!;
  const all = answer
    .split(',')
    .map((word) => strip(word).toLowerCase())
    .filter((word) => word !== '');
  const actions = all.slice(0, maxActions);
  const content = all.length > maxActions ? actions.join(',') : answer;
  const canonical = tags.map((tag, at) => `<${tag}>${tag === 'answer' ? content : texts[at]}</${tag}>`).join('');
  const think = format === 'free_wm' ? (found?.between ?? []).filter(Boolean).join(' ') : texts[tags.indexOf('think')]!;
  return { actions, formatCorrect: found !== undefined, think, canonical, answerAt: found?.answerAt ?? 0 };
}

interface Sections {
  readonly texts: readonly string[];
  /** Text between the sections. */
  readonly between: readonly string[];
  readonly answerAt: number;
}

/** The earliest end of each section after which the rest can follow. */
function sectionsOf(response: string, tags: readonly string[], isFree: boolean): Sections | undefined {
  let at = response.indexOf(`<${tags[0]}>`);
  if (at < 0) return undefined;
  const texts: string[] = [];
  const between: string[] = [];
  let answerAt = 0;
  for (const [index, tag] of tags.entries()) {
    if (tag === 'answer') answerAt = at;
    const start = at + tag.length + 2;
    const next = tags[index + 1];
    const end = closing(response, start, tag, isFree ? undefined : next);
    if (end < 0) return undefined;
    texts.push(strip(response.slice(start, end)));
    if (next === undefined) break;
    const after = end + tag.length + 3;
    at = response.indexOf(`<${next}>`, after);
    if (at < 0) return undefined;
    between.push(strip(response.slice(after, at)));
  }
  return { texts, between, answerAt };
}

/** The first end tag, or the first that only blanks part from the next tag. */
function closing(text: string, from: number, tag: string, next: string | undefined): number {
  for (let end = text.indexOf(`</${tag}>`, from); end >= 0; end = text.indexOf(`</${tag}>`, end + 1)) {
    if (next === undefined) return end;
    let after = end + tag.length + 3;
    while (isBlank(text.charAt(after))) after += 1;
    if (text.startsWith(`<${next}>`, after)) return end;
  }
  return -1;
}

/** Blanks of Python: those of JavaScript, without the byte order mark, and the separators of ASCII. */
const isBlank = (letter: string): boolean =>
  letter !== '' && letter !== '\ufeff' && (letter.trim() === '' || SEPARATORS.includes(letter));
const SEPARATORS = '\u001c\u001d\u001e\u001f\u0085';

function strip(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text.charAt(start))) start += 1;
  while (end > start && isBlank(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
