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

/**
 * The same for models whose vision encoder, projector and decoder were published side by side, each with the names that it has
 * alone (LLaVA-NeXT, Gemma 3): transformers 5 moved them into `model`, and the output layer out of the decoder.
 */
export function nestedName(name: string): string {
  return name
    .replace(/^(?=(?:language_model|vision_tower|multi_modal_projector|image_newline)\b)/, 'model.')
    .replace(/^model\.language_model\.lm_head\./, 'lm_head.')
    .replace(/^model\.language_model\.model\./, 'model.language_model.')
    .replace(/^model\.vision_tower\.vision_model\./, 'model.vision_tower.');
}
