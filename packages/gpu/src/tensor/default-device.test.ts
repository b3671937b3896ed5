import { describe, expect, it } from 'vitest';
import { native } from '../native/load.js';
import * as torch from './creation.js';
import { getDefaultDevice, setDefaultDevice } from './default-device.js';
import { Generator } from './generator.js';
import { tidy } from './scope.js';

/** Functions of the addon whose last argument is a device. */
const MAKERS = [
  'zeros',
  'ones',
  'empty',
  'full',
  'arange',
  'linspace',
  'eye',
  'rand',
  'randn',
  'randint',
  'randperm',
  'fromData',
];

/** The device that the addon was asked for by each call that makes a tensor; all are made on the CPU. */
function devicesAskedFor(run: () => void): string[] {
  const addon = native() as unknown as Record<string, (...values: unknown[]) => number>;
  const devices: string[] = [];
  const originals = MAKERS.map((name) => [name, addon[name]!] as const);
  try {
    for (const [name, original] of originals) {
      addon[name] = (...values) => {
        devices.push(String(values.at(-1)));
        return original(...values.slice(0, -1), 'cpu');
      };
    }
    run();
  } finally {
    for (const [name, original] of originals) addon[name] = original;
  }
  return devices;
}

describe('the default device', () => {
  const before = getDefaultDevice();

  it('is where functions that make tensors put them, unless they name another', () => {
    const devices = devicesAskedFor(() => {
      setDefaultDevice('cuda:0');
      tidy(() => {
        const made = [
          torch.zeros([1]),
          torch.ones([1]),
          torch.empty([1]),
          torch.full([1], 2),
          torch.arange(3),
          torch.linspace(0, 1, 3),
          torch.eye(2),
          torch.rand([1]),
          torch.randn([1]),
          torch.randint(0, 2, [1]),
          torch.randperm(3),
          torch.tensor([1]),
        ];
        expect(made.length).toBe(MAKERS.length);
        torch.zeros([1], { device: 'cpu' });
        torch.tensor([1], { device: 'cuda:1' });
        torch.fromBuffer(Float32Array.of(1));
      });
      setDefaultDevice(before);
    });
    const [check, ...asked] = devices;
    expect(check).toBe('cuda:0');
    expect(asked).toEqual([...MAKERS.map(() => 'cuda:0'), 'cpu', 'cuda:1', 'cpu', before]);
    expect(getDefaultDevice()).toBe(before);
  });

  it.each(['cuda:99', 'toaster', ''])('is not "%s", which is not here', (device) => {
    expect(() => setDefaultDevice(device)).toThrow(expect.objectContaining({ code: 'BAD_ARGUMENT' }));
    expect(getDefaultDevice()).toBe(before);
  });

  it('gets the numbers of a seed that the CPU gets', () => {
    const draw = (device: string) =>
      tidy(() => {
        const generator = new Generator(3);
        const kind = { device, generator };
        const weights = torch.tensor([1, 2, 3], { device });
        return [
          torch.rand([3], kind),
          torch.randn([3], kind),
          torch.randint(0, 100, [3], kind),
          torch.randperm(5, kind),
          torch.empty([3], { device }).normal_(1, 2, generator),
          torch.empty([3], { device }).exponential_(1, generator),
          torch.full([9], 0.5, { device }).bernoulli(generator),
          weights.multinomial(2, { generator }),
        ].map((numbers) => [numbers.device, numbers.tolist()]);
      });
    const device = tidy(() => torch.zeros([1]).device);
    const onCpu = draw('cpu');
    expect(draw(getDefaultDevice())).toEqual(onCpu.map(([, numbers]) => [device, numbers]));
  });
});
