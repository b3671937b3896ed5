/**
 * Which words of a product's name are nouns? The title score of the reward compares them.
 *
 * The original asks spaCy's `en_core_web_sm`. wink-nlp has the same universal tags and needs no native code; it agrees
 * on the reward's type in the original's unit tests, not on every word. A catalog may bring exact lists
 * (`Product.nouns`), and another tagger can be passed to the shop.
 */
import model from 'wink-eng-lite-web-model';
import winkNLP, { type ItemToken } from 'wink-nlp';

/** Lower-cased nouns and proper nouns of a name, in order, with repeats. */
export type NounTagger = (name: string) => readonly string[];

let engine: ReturnType<typeof winkNLP> | undefined;

/** The default tagger; the model (4 MB) is loaded at the first call. */
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

/** Remembers the last `size` answers: the goal's name is asked for in every purchase. */
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
