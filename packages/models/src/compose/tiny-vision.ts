/** A small vision encoder with fresh weights, in the spelling of Qwen2-VL: 2.7 million weights, tokens of width 192. */

const WIDTH = 192;

/** Its sizes of text are placeholders: only the width of its tokens is read. */
export const TINY_VISION_CONFIG = {
  model_type: 'qwen2_vl',
  vocab_size: 1,
  image_token_id: 0,
  hidden_size: WIDTH,
  num_hidden_layers: 1,
  num_attention_heads: 12,
  num_key_value_heads: 12,
  intermediate_size: WIDTH,
  max_position_embeddings: 1,
  rope_scaling: { type: 'mrope', mrope_section: [2, 3, 3] },
  vision_config: {
    depth: 4,
    embed_dim: WIDTH,
    hidden_size: WIDTH,
    num_heads: 4,
    mlp_ratio: 4,
    patch_size: 14,
    spatial_merge_size: 2,
    temporal_patch_size: 2,
    in_channels: 3,
  },
} as const;

/** 4 to 64 tokens a picture; 12 for one of 84 x 112. */
export const TINY_PREPROCESSOR = {
  do_resize: true,
  do_rescale: true,
  do_normalize: true,
  do_convert_rgb: true,
  resample: 3,
  rescale_factor: 1 / 255,
  image_mean: [0.5, 0.5, 0.5],
  image_std: [0.5, 0.5, 0.5],
  min_pixels: 4 * 28 * 28,
  max_pixels: 64 * 28 * 28,
  patch_size: 14,
  merge_size: 2,
  temporal_patch_size: 2,
} as const;
