/** In a real browser with SwiftShader's WebGL, the canvas shows what the software renderer draws. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { installedChromium } from '@vlgym/chromium';
import { build } from 'tsup';
import { describe, expect, it } from 'vitest';

const chromium = installedChromium();
const FLAGS = '--headless --no-sandbox --use-angle=swiftshader --enable-unsafe-swiftshader --virtual-time-budget=60000';

interface Compared {
  readonly results: readonly { backends: string; mean: number; outliers: number }[];
  readonly colors: { readonly apart: readonly number[]; readonly shown: number[]; readonly background: number[] };
}

describe.skipIf(!chromium)('in Chromium (skipped if not installed; set VLGYM_CHROMIUM to its path)', () => {
  it('WebGL and the software renderer draw the same rooms, and three.js itself the same colors of ten materials', {
    timeout: 300_000,
  }, async () => {
    const home = await mkdtemp(join(tmpdir(), 'vlgym-webgl-'));
    try {
      const entry = fileURLToPath(new URL('../fixtures/webgl-page.ts', import.meta.url));
      const options = { entry: { page: entry }, format: 'iife', outDir: home, platform: 'browser' } as const;
      await build({ ...options, noExternal: [/./], config: false, silent: true, dts: false, clean: false });
      await writeFile(join(home, 'page.html'), '<!doctype html><body></body><script src="page.global.js"></script>');
      const { stdout } = await promisify(execFile)(chromium!, [
        ...FLAGS.split(' '),
        `--user-data-dir=${join(home, 'profile')}`,
        '--dump-dom',
        `file://${join(home, 'page.html')}`,
      ]);
      const { results, colors }: Compared = JSON.parse(/<body>(\{.*\})/.exec(stdout)![1]!);
      expect(results.map(({ backends }) => backends)).toEqual(new Array(6).fill('webgl wasm'));
      // Texture filters round differently; only pixels on edges may differ much.
      for (const { mean, outliers } of results) {
        expect(mean).toBeLessThan(1.5);
        expect(outliers).toBeLessThan(0.01);
      }
      // new Color(0xaa5522) was drawn as 103, 23, 4
      expect(colors.shown).toEqual([0xaa, 0x55, 0x22]);
      expect(colors.background).toEqual([100, 149, 237]);
      expect(Math.max(...colors.apart), `apart: ${colors.apart}`).toBeLessThanOrEqual(2);
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  });
});
