import { rmSync } from 'node:fs';
import { generateCatalog } from '@vlgym/webshop';

const n = Number(process.argv[2]);
const workers = Number(process.argv[3] ?? 0);
rmSync('/tmp/zzcat', { recursive: true, force: true });
let cpu = process.cpuUsage();
const cpus = {};
await generateCatalog(
  '/tmp/zzcat',
  { products: n, seed: 1 },
  {
    workers,
    onProgress({ phase }) {
      const u = process.cpuUsage(cpu);
      cpu = process.cpuUsage();
      cpus[phase] = (cpus[phase] ?? 0) + (u.user + u.system) / 1e6;
    },
  },
);
const u = process.cpuUsage(cpu);
cpus.rest = (u.user + u.system) / 1e6;
console.log(cpus, 'per 1.2M:', (Object.values(cpus).reduce((a, b) => a + b) * 1200000) / n);
