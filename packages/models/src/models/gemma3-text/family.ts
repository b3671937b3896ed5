/** The language side of Gemma 3, from published folders of it alone (`gemma3_text`). */
import type { Tensor } from '@vlgym/gpu';
import { DECODER_LINEARS } from '../../adapters/published-weights.js';
import type { TokenLayout } from '../../batch/token-rows.js';
import type { ModelFamily } from '../../language-model.js';
import type { DecoderKind } from '../../layers/decoder-kind.js';
import { type LayeredRotary, publishedFrequencies } from '../../layers/rotary.js';
import type { Steps } from '../../layers/steps.js';
import { rotaryOf, TextModel } from '../shared/text-model.js';
import { textChatMl } from '../shared/text-only-template.js';
import { type Gemma3TextConfig, parseGemma3TextConfig, readGemma3TextConfig } from './config.js';

class Gemma3TextModel extends TextModel<Gemma3TextConfig> {
  override *embed(ids: Tensor): Steps<Tensor> {
    const embeddings = yield* super.embed(ids);
    // the published factor is a number of float32, and rounded to the dtype of the model
    return embeddings.mul(embeddings.newTensor([Math.fround(Math.sqrt(this.config.hiddenSize))]));
  }

  override positions(layout: TokenLayout, columns: number): LayeredRotary {
    const { headDim, localRopeTheta } = this.config;
    const local = rotaryOf(layout, columns, publishedFrequencies(headDim, localRopeTheta), this);
    return { ...super.positions(layout, columns), localCos: local.cos, localSin: local.sin };
  }
}

export const gemma3TextFamily: ModelFamily<Gemma3TextConfig> = {
  name: 'gemma3-text',
  presets: {},
  chatTemplate: textChatMl,
  parseConfig: parseGemma3TextConfig,
  create: (config, init) => {
    const { attentionBias, windows, queryPreAttnScalar } = config;
    const kind: DecoderKind = {
      ...{ attentionBias, outputBias: attentionBias, windows, headNorms: true, wideNorm: true },
      ...{ normOffset: true, normsAfter: true, attentionScale: queryPreAttnScalar ** -0.5 },
      activation: 'gelu',
    };
    return new Gemma3TextModel(config, kind, init);
  },
  adapterTargets: DECODER_LINEARS,
  published: { modelType: 'gemma3_text', readConfig: readGemma3TextConfig, internalName: (name) => name },
};
