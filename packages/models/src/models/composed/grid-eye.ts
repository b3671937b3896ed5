/** The encoders of the Qwen-VL family: a picture keeps its shape, and each block of patches becomes a token. */
import { ImageProcessor } from '../../batch/image-processor.js';
import type { WeightInit } from '../../layers/fresh-parameter.js';
import type { QwenConfig } from '../shared/config.js';
import { type GridImages, gridImages } from '../shared/pictures.js';
import { LayoutTensors, type VisionEncoder } from '../shared/vision.js';
import type { Eye, EyeKind } from './eye.js';

interface GridFamily<Config extends QwenConfig> extends Pick<EyeKind<Config>, 'parse' | 'read'> {
  create(config: Config, init: WeightInit, tensors: LayoutTensors): VisionEncoder;
}

export const gridEye = <Config extends QwenConfig>({ parse, read, create }: GridFamily<Config>): EyeKind<Config> => ({
  parse,
  read,
  open(config, init): Eye<GridImages> {
    const encoder = create(config, init, new LayoutTensors(init));
    const processor = new ImageProcessor(config);
    return {
      encoder,
      width: config.hiddenSize,
      imageTokens: (size) => processor.tokens(processor.grid(size)),
      prepareImages: (images, kind) => gridImages(images, processor, encoder, kind),
      *tokens({ patches, layout }) {
        const { tokens } = yield* encoder.steps(patches, layout);
        return tokens;
      },
    };
  },
});
