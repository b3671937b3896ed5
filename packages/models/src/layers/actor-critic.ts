/**
 * A language model and the value head that a policy puts on it.
 *
 * Parameters are named as if the head were a property `value_head` of the model: the model's own names stay those of its
 * published checkpoints.
 */
import { Module, type Tensor } from '@vlgym/gpu';
import type { LanguageModel, ModelInit } from '../language-model.js';
import { ValueHead } from './value-head.js';

export class ActorCritic extends Module {
  readonly valueHead: ValueHead;

  /** @param init  Initializes the head only; the language model brings its weights. */
  constructor(
    readonly language: LanguageModel,
    init: ModelInit,
  ) {
    super();
    this.valueHead = new ValueHead(language.config.hiddenSize, language.config.valueHead, init);
  }

  override *namedModules(prefix = ''): Generator<[string, Module]> {
    yield [prefix, this];
    yield* this.language.namedModules(prefix);
    yield* this.valueHead.namedModules(prefix ? `${prefix}.value_head` : 'value_head');
  }

  /** Embeddings [B, T, D] → hidden states [B, T, D]. */
  forward(...[embeddings, context]: Parameters<LanguageModel['forward']>): Tensor {
    return this.language.forward(embeddings, context);
  }
}
