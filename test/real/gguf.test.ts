/** GGUF files of SmolLM2 as model folders: the weights that gguf-py reads, its tokenizer, and the memory that was announced. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { safetensors } from '@vlgym/gpu';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ROOT } from '../support/workspaces.js';
import { home, reason } from './servers.js';

vi.setConfig({ testTimeout: 600_000 });

/** In a process of its own, as the command line does it. @returns bytes: announced, and the peak of the process. */
async function importInProcess(file: string, folder: string): Promise<{ announced: number; peak: number }> {
  const models = pathToFileURL(join(ROOT, 'packages/models/dist/index.js')).href;
  // not `resourceUsage`: on Linux it counts memory that the parent had at the fork
  const script = `
    import { readFileSync } from 'node:fs';
    import { importGguf } from ${JSON.stringify(models)};
    const { memoryBytes: announced } = await importGguf(${JSON.stringify(file)}, ${JSON.stringify(folder)});
    const [, peak] = /^VmHWM:\\s+(\\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
    console.log(JSON.stringify({ announced, peak: peak * 1024 }));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  return JSON.parse(stdout);
}

function files(): [string, string][] {
  const folder = join(home!, 'venv/lib');
  const published = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('.gguf'));
  return [
    ['the published Q4_1', join(folder, published!)],
    ['float32', join(home!, 'smollm2-f32.gguf')],
  ];
}

const modelFolder = join(home ?? '', 'smollm2-llama');

describe.skipIf(home === undefined)(`SmolLM2 as a GGUF file${reason}`, () => {
  let work = '';
  beforeAll(() => {
    work = mkdtempSync(join(tmpdir(), 'vlgym-real-gguf-'));
  });
  afterAll(() => rmSync(work, { recursive: true, force: true }));

  it('becomes the folder that gguf-py and transformers make of it, within 1.1 times the memory announced', async () => {
    for (const [name, file] of files()) {
      const folder = join(work, name);
      const { announced, peak } = await importInProcess(file, folder);
      expect(peak / announced, name).toBeLessThan(1.1);
      using ours = new safetensors.SafetensorsFile(join(folder, 'model.safetensors'));
      using theirs = new safetensors.SafetensorsFile(join(modelFolder, 'model.safetensors'));
      expect(ours.keys().toSorted()).toEqual(theirs.keys().toSorted());
      const bytes = (from: safetensors.SafetensorsFile, tensor: string) => {
        const { buffer, byteOffset, byteLength } = from.get(tensor).toArray();
        return Buffer.from(buffer, byteOffset, byteLength);
      };
      const others = ours.keys().filter((tensor) => !bytes(ours, tensor).equals(bytes(theirs, tensor)));
      expect(others, name).toEqual([]);
      for (const text of ['tokenizer.json', 'tokenizer_config.json', 'generation_config.json']) {
        const [written, wanted] = [folder, modelFolder].map((from) =>
          JSON.parse(readFileSync(join(from, text), 'utf8')),
        );
        expect(written, text).toEqual(wanted);
      }
    }
  });
});
