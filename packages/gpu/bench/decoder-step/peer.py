"""The same decoder step in Python; one step per line on standard input, milliseconds and loss on standard output."""
import sys
import time

import torch
from torch import nn
import torch.nn.functional as F

VOCABULARY, HIDDEN, LAYERS, HEADS, BATCH, TOKENS = 512, 256, 4, 8, 8, 256


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        linear = lambda i, o: nn.Linear(i, o, bias=False)
        self.attention_norm = nn.RMSNorm(HIDDEN, eps=1e-6)
        self.qkv, self.out = linear(HIDDEN, 3 * HIDDEN), linear(HIDDEN, HIDDEN)
        self.mlp_norm = nn.RMSNorm(HIDDEN, eps=1e-6)
        self.gate, self.up, self.down = linear(HIDDEN, 4 * HIDDEN), linear(HIDDEN, 4 * HIDDEN), linear(4 * HIDDEN, HIDDEN)

    def forward(self, x):
        q, k, v = self.qkv(self.attention_norm(x)).view(BATCH, TOKENS, 3, HEADS, HIDDEN // HEADS).permute(2, 0, 3, 1, 4).unbind(0)
        seen = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(seen.transpose(1, 2).reshape(BATCH, TOKENS, HIDDEN))
        y = self.mlp_norm(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(VOCABULARY, HIDDEN)
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.norm = nn.RMSNorm(HIDDEN, eps=1e-6)
        self.head = nn.Linear(HIDDEN, VOCABULARY, bias=False)

    def forward(self, ids):
        x = self.embedding(ids[:, :-1])
        for block in self.blocks:
            x = block(x)
        return F.cross_entropy(self.head(self.norm(x)).view(-1, VOCABULARY), ids[:, 1:].reshape(-1))


torch.set_num_threads(int(sys.argv[1]))
torch.manual_seed(0)
model = Decoder()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, fused=True)
ids = torch.randint(0, VOCABULARY, (BATCH, TOKENS + 1))
print(torch.__version__, flush=True)
for _ in sys.stdin:
    start = time.perf_counter()
    optimizer.zero_grad()
    loss = model(ids)
    loss.backward()
    optimizer.step()
    value = loss.item()
    print((time.perf_counter() - start) * 1000, value, flush=True)
