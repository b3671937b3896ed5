/**
 * Finds the nouns of a product's name, which the title score of the reward compares.
 *
 * The original uses spaCy's `en_core_web_sm`. wink-nlp has the same universal tags and needs no native code; it agrees on
 * the reward's type in the original's unit tests, but not on every word. A catalog may contain exact lists
 * (`Product.nouns`), and a shop accepts another tagger.
 */
import model from 'wink-eng-lite-web-model';
import winkNLP, { type ItemToken } from 'wink-nlp';

/** Returns nouns and proper nouns of a name in lower case, in order, with repeats. */
export type NounTagger = (name: string) => readonly string[];

let engine: ReturnType<typeof winkNLP> | undefined;

/** Default tagger; loads its model (4 MB) on the first call. */
export const winkNouns: NounTagger = (name) => {
  engine ??= winkNLP(model, ['pos']);
  const { its } = engine;
  const nouns: string[] = [];
  engine
    .readDoc(name)
    .tokens()
    .each((token: ItemToken) => {
      const tag = token.out(its.pos);
      if (tag === 'NOUN' || tag === 'PROPN') nouns.push(token.out(its.value).toLowerCase());
    });
  return nouns;
};

/** Caches the last `size` answers, because every purchase tags the goal's name. */
export function cachedNouns(tagger: NounTagger, size = 10_000): NounTagger {
  const known = new Map<string, readonly string[]>();
  return (name) => {
    const before = known.get(name);
    if (before) return before;
    if (known.size >= size) known.clear();
    const nouns = tagger(name);
    known.set(name, nouns);
    return nouns;
  };
}
