/** The output layer of a folder: a matrix of its own, or the table of embeddings. */
import { noGrad, safetensors, tidy } from '@vlgym/gpu';
import type { ModelFolder } from './model-folder.js';
import { storedDtype } from './shards.js';

/** Name here of the output layer. */
export const OUTPUT_LAYER = 'lm_head.weight';
/** Names here of the table of embeddings. */
export const EMBEDDINGS = /^model\.((language|text)_model\.)?embed_tokens\.weight$/;

/** Rows that are compared at a time. */
const BAND = 4096;

/**
 * The configuration, not tied where the folder holds an output layer with other numbers than the embeddings: transformers reads
 * both then, whatever `tie_word_embeddings` says (`tie_weights` in `modeling_utils.py` of version 5).
 */
export function withOwnOutput(source: ModelFolder): ModelFolder['config'] {
  const { config } = source;
  const isTied = (config as { readonly tieWordEmbeddings?: unknown }).tieWordEmbeddings === true;
  return isTied && hasOwnOutput(source) ? Object.assign({}, config, { tieWordEmbeddings: false }) : config;
}

function hasOwnOutput({ tensors, published }: ModelFolder): boolean {
  const named = (isWanted: (name: string) => boolean) =>
    tensors.find(({ name }) => isWanted(published.internalName(name)));
  const output = named((name) => name === OUTPUT_LAYER);
  const table = named((name) => EMBEDDINGS.test(name));
  if (!output || !table || !storedDtype(output.dtype) || !storedDtype(table.dtype)) return false;
  if (output.shape.join() !== table.shape.join()) return true;
  using outputFile = new safetensors.SafetensorsFile(output.path);
  using tableFile = new safetensors.SafetensorsFile(table.path);
  using outputs = outputFile.get(output.name);
  using embeddings = tableFile.get(table.name);
  for (let row = 0; row < outputs.size(0); row += BAND) {
    const rows = Math.min(BAND, outputs.size(0) - row);
    const isEqual = noGrad(() =>
      tidy(() =>
        outputs
          .narrow(0, row, rows)
          .eq(embeddings.narrow(0, row, rows))
          .all()
          .item(),
      ),
    );
    if (Number(isEqual) !== 1) return true;
  }
  return false;
}
