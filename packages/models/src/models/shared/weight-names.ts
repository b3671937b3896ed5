/**
 * Names of tensors in published files, and the names that the modules here have: those of huggingface/transformers 5.
 *
 * Qwen2-VL and Qwen2.5-VL were published as `visual.*`, `model.layers.*`, `model.embed_tokens`; transformers moved both
 * sides into `model`. Adapters made before its version 4.52 have the earlier names too.
 */

/** The name of a module's tensor here. */
export function internalName(name: string): string {
  if (name.startsWith('visual.')) return `model.${name}`;
  return name.replace(/^model\.(layers|embed_tokens|norm)\./, 'model.language_model.$1.');
}
