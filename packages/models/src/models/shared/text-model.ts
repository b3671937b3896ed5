/**
 * A model that reads text only: one decoder with one axis of positions. Modules are named as those of huggingface/transformers,
 * which are the names of published files and of adapters of peft.
 */
import { type DType, type Tensor, tensor } from '@vlgym/gpu';
import { DECODER_LINEARS } from '../../adapters/published-weights.js';
import type { TokenLayout } from '../../batch/token-rows.js';
import type { LanguageModel, ModelInit } from '../../language-model.js';
import { Decoder, type DecoderKind } from '../../layers/decoder.js';
import { DecoderModel } from '../../layers/decoder-model.js';
import type { WeightInit } from '../../layers/fresh-parameter.js';
import { Projection } from '../../layers/projection.js';
import { scaledFrequencies } from '../../layers/rope-scaling.js';
import { angleDtype, type Rotary, rotary } from '../../layers/rotary.js';
import type { Steps } from '../../layers/steps.js';
import { TextOnlyModelError } from '../../policy/errors.js';
import type { TextOnlyConfig } from './text-config.js';

export class TextModel<Config extends TextOnlyConfig = TextOnlyConfig>
  extends DecoderModel<Config>
  implements LanguageModel
{
  readonly adapterTargets = DECODER_LINEARS;
  readonly model: Decoder;
  /** Null when the embedding table is the output layer. */
  readonly lm_head: Projection | null;

  constructor(
    readonly config: Config,
    kind: DecoderKind,
    init: ModelInit,
  ) {
    super();
    const weights: WeightInit = { std: config.initializerRange, ...init };
    this.model = new Decoder(config, kind, weights);
    this.lm_head = config.tieWordEmbeddings ? null : new Projection(config.hiddenSize, config.vocabSize, weights);
  }

  /** @throws {TextOnlyModelError} Always. */
  imageTokens(): never {
    throw new TextOnlyModelError(1);
  }

  /** @throws {TextOnlyModelError} Always. */
  prepareImages(images: readonly unknown[]): never {
    throw new TextOnlyModelError(images.length);
  }

  // biome-ignore lint/correctness/useYield: a table is read in one piece
  *embed(ids: Tensor): Steps<Tensor> {
    return this.model.embed_tokens.forward(ids);
  }

  positions(layout: TokenLayout, columns: number): Rotary {
    const { headDim, ropeTheta, ropeScaling } = this.config;
    return rotaryOf(layout, columns, scaledFrequencies(headDim, ropeTheta, ropeScaling), this);
  }

  protected override get decoder(): Decoder {
    return this.model;
  }
}

/** Cosines and sines of `columns` columns; a row of n prompt tokens starts counting n columns before `promptLength`. */
export function rotaryOf(
  { promptLength, promptLengths }: TokenLayout,
  columns: number,
  speeds: Float64Array,
  { dtype, device }: { readonly dtype: DType; readonly device: string },
): Rotary {
  const isShared = promptLengths.every((length) => length === promptLength);
  const rows = isShared ? [promptLength] : promptLengths;
  const angles = new Float64Array(rows.length * columns * speeds.length);
  let next = 0;
  for (const length of rows)
    for (let column = 0; column < columns; column += 1) {
      const place = Math.max(column - (promptLength - length), 0);
      for (const speed of speeds) angles[next++] = place * speed;
    }
  const shape = [rows.length, columns, speeds.length];
  return rotary(tensor(angles, { shape, dtype: angleDtype(dtype), device }), dtype);
}
