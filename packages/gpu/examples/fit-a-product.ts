import * as torch from '@vlgym/gpu';

const generator = new torch.Generator(0);
const model = new torch.nn.Sequential(
  new torch.nn.Linear(2, 16, { generator }),
  new torch.nn.RMSNorm(16),
  new torch.nn.Linear(16, 1, { generator }),
);
const optimizer = new torch.optim.AdamW(model.parameters(), { lr: 1e-2 });
const x = torch.randn([64, 2], { generator });
const y = x.prod(1, true);

for (let step = 0; step < 100; step += 1) {
  const loss = torch.tidy(() => {
    optimizer.zeroGrad();
    const loss = torch.nn.functional.mseLoss(model.forward(x), y);
    loss.backward();
    torch.clipGradNorm_(model.parameters(), 1);
    optimizer.step();
    return loss.item();
  });
  if (step % 20 === 0) console.log(step, loss);
}

await torch.safetensors.save('model.safetensors', model.stateDict());
