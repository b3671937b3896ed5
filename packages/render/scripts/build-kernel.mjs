/**
 * Compiles `assembly/*.ts` with AssemblyScript to WebAssembly and writes it, in base64, as a module that any bundler
 * can include: `src/soft/kernel.generated.ts`. The result is committed, so that using the sources does not require the
 * compiler; a test recompiles it and compares.
 *
 *     node scripts/build-kernel.mjs            write the module
 *     node scripts/build-kernel.mjs --print    only print it
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const target = join(root, 'src/soft/kernel.generated.ts');

async function compile() {
  let binary;
  const options = '--outFile kernel.wasm --runtime stub --enable simd --noAssert -O3 --converge --initialMemory 2';
  const { error, stderr } = await asc.main(['assembly/index.ts', '--baseDir', root, ...options.split(' ')], {
    readFile: (name, folder) => {
      const path = join(folder, name);
      return existsSync(path) ? readFileSync(path, 'utf8') : null;
    },
    writeFile: (name, contents) => {
      if (name.endsWith('.wasm')) binary = contents;
    },
  });
  if (error) throw new Error(`The kernel does not compile:\n${stderr.toString()}`, { cause: error });
  return Buffer.from(binary);
}

const bytes = await compile();
const lines = bytes.toString('base64').match(/.{1,110}/g);
const text = `/** Made by scripts/build-kernel.mjs from assembly/*.ts: WebAssembly, ${bytes.length} bytes, in base64. */
export const KERNEL =
${lines.map((line) => `  '${line}'`).join(' +\n')};
`;
if (process.argv.includes('--print')) {
  process.stdout.write(text);
} else {
  writeFileSync(`${target}.new`, text);
  renameSync(`${target}.new`, target);
  console.log(`${target}: ${bytes.length} bytes of WebAssembly`);
}
