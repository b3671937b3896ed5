/** The decoder of the benchmark; `peer.py` is the same model line by line. */
import { type Generator, nn, type Tensor, tidy } from '../../src/index.js';

export const SHAPE = { vocabulary: 512, hidden: 256, layers: 4, heads: 8, batch: 8, tokens: 256 } as const;

class Block extends nn.Module {
  readonly attentionNorm = new nn.RMSNorm(SHAPE.hidden);
  readonly qkv: nn.Linear;
  readonly out: nn.Linear;
  readonly mlpNorm = new nn.RMSNorm(SHAPE.hidden);
  readonly gate: nn.Linear;
  readonly up: nn.Linear;
  readonly down: nn.Linear;

  constructor(generator: Generator) {
    super();
    const { hidden } = SHAPE;
    const linear = (input: number, output: number) => new nn.Linear(input, output, { bias: false, generator });
    this.qkv = linear(hidden, 3 * hidden);
    this.out = linear(hidden, hidden);
    this.gate = linear(hidden, 4 * hidden);
    this.up = linear(hidden, 4 * hidden);
    this.down = linear(4 * hidden, hidden);
  }

  /** x [batch, tokens, hidden]. */
  forward(x: Tensor): Tensor {
    const { batch, tokens, heads, hidden } = SHAPE;
    const [query, key, value] = this.qkv
      .forward(this.attentionNorm.forward(x))
      .view([batch, tokens, 3, heads, hidden / heads])
      .permute([2, 0, 3, 1, 4])
      .unbind(0) as [Tensor, Tensor, Tensor];
    const seen = nn.functional.scaledDotProductAttention(query, key, value, { isCausal: true });
    const attended = x.add(this.out.forward(seen.transpose(1, 2).reshape([batch, tokens, hidden])));
    const y = this.mlpNorm.forward(attended);
    return attended.add(this.down.forward(this.gate.forward(y).silu().mul(this.up.forward(y))));
  }
}

export class Decoder extends nn.Module {
  readonly embedding: nn.Embedding;
  readonly blocks: nn.ModuleList<Block>;
  readonly norm = new nn.RMSNorm(SHAPE.hidden);
  readonly head: nn.Linear;

  constructor(generator: Generator) {
    super();
    this.embedding = new nn.Embedding(SHAPE.vocabulary, SHAPE.hidden, { generator });
    this.blocks = new nn.ModuleList(Array.from({ length: SHAPE.layers }, () => new Block(generator)));
    this.head = new nn.Linear(SHAPE.hidden, SHAPE.vocabulary, { bias: false, generator });
  }

  /** Cross-entropy of each next token; ids int64 [batch, tokens + 1]. */
  forward(ids: Tensor): Tensor {
    return tidy(() => {
      let x = this.embedding.forward(ids.narrow(1, 0, SHAPE.tokens));
      for (const block of this.blocks) x = block.forward(x);
      const logits = this.head.forward(this.norm.forward(x));
      const targets = ids.narrow(1, 1, SHAPE.tokens).reshape([-1]);
      return nn.functional.crossEntropy(logits.view([-1, SHAPE.vocabulary]), targets);
    });
  }
}
