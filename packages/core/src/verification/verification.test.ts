import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { registerVerifier } from '../registry/verifier.js';
import { OriginalProcess, OriginalPython, Tally } from './index.js';

describe('Tally', () => {
  it('counts what is equal and keeps the first difference', () => {
    const tally = new Tally(['rewards']);
    expect(tally.equal('rewards', 'step 1', [1, { a: 2 }], [1, { a: 2 }])).toBe(true);
    expect(tally.equal('rewards', 'step 2', 1, 0)).toBe(false);
    tally.equal('rewards', 'step 3', 1, 0);
    const first = "step 2: ours 1, the original's 0";
    expect(tally.agreements).toEqual([{ what: 'rewards', agreed: 1, compared: 3, first }]);
  });

  it('takes numbers for near by the largest difference, and never those of other lengths', () => {
    const tally = new Tally();
    expect(tally.near('poses', 'a', [1, 2], [1, 2 + 1e-10], 1e-9)).toBe(true);
    expect(tally.near('poses', 'b', [1, 2], [1, 2.1], 1e-9)).toBe(false);
    expect(tally.near('poses', 'c', [1], [1, 2], 1e-9)).toBe(false);
    expect(tally.near('poses', 'd', [Number.NaN], [1], 1e-9)).toBe(false);
  });
});

describe('OriginalProcess', () => {
  const script = `
    console.log('chatter of a library');
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { add, fail, leave } = JSON.parse(line);
      if (leave) { console.error('out of memory'); process.exit(3); }
      console.log(JSON.stringify(fail ? { error: fail } : { answer: add + 1 }));
    });`;
  let original: OriginalProcess;
  beforeEach(() => {
    original = new OriginalProcess({ command: [process.execPath, '-e', script] });
  });
  afterEach(() => original.close());

  it('answers requests in turn and ignores what libraries print', async () => {
    expect([await original.ask({ add: 1 }), await original.ask({ add: 2 })]).toEqual([2, 3]);
  });

  it('reports an error of the script and continues', async () => {
    await expect(original.ask({ fail: 'no such world' })).rejects.toMatchObject({ code: 'ORIGINAL_FAILED' });
    expect(await original.ask({ add: 1 })).toBe(2);
  });

  it('says how the process ended, with its last lines', async () => {
    await expect(original.ask({ leave: true })).rejects.toThrow(/ended \(code 3\)[\s\S]*out of memory/);
    await expect(original.ask({ add: 1 })).rejects.toMatchObject({ code: 'ORIGINAL_FAILED' });
  });

  it('says that a program cannot be started', async () => {
    const absent = new OriginalProcess({ command: ['/absent/python'] });
    await expect(absent.ask({})).rejects.toThrow(/\/absent\/python cannot be started/);
  });
});

describe('OriginalPython', () => {
  let cache: string;
  beforeEach(async () => {
    cache = await mkdtemp(join(tmpdir(), 'vlgym-original-'));
    vi.stubEnv('VLGYM_CACHE', cache);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(cache, { recursive: true });
  });

  it('has a folder per set of requirements, and no interpreter before the set-up', () => {
    const [one, two] = ['==1', '==2'].map(
      (version) => new OriginalPython({ name: 'a', requirements: [`a${version}`] }),
    );
    expect(one!.folder).not.toBe(two!.folder);
    expect(one!.interpreter).toBeUndefined();
  });

  it('fetches what is missing next to complete packages', async () => {
    let fetched = 0;
    const finish = async () => {
      fetched += 1;
    };
    const options = { name: 'a', requirements: ['a==1'], finish, isFinished: () => fetched > 0 };
    const { folder } = new OriginalPython(options);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'complete.json'), '{}');
    await new OriginalPython(options).setup();
    await new OriginalPython(options).setup();
    expect(fetched).toBe(1);
  });

  it('prefers the interpreter that a variable names', () => {
    vi.stubEnv('OWN_PYTHON', '/own/python');
    expect(new OriginalPython({ name: 'a', requirements: [], variable: 'OWN_PYTHON' }).interpreter).toBe('/own/python');
  });

  it('explains a failed set-up, leaves no interpreter, and can be tried again', async () => {
    const fake = join(cache, 'python');
    await writeFile(fake, '#!/bin/sh\necho no module named venv\nexit 1\n', { mode: 0o755 });
    const python = new OriginalPython({ name: 'a', requirements: ['a==1'] });
    for (const _ of ['once', 'again']) {
      await expect(python.setup({ python: fake })).rejects.toThrow(/no module named venv/);
    }
    expect(python.interpreter).toBeUndefined();
  });
});

it('refuses a name that the command line could not take', () => {
  const verifier = { name: 'My Env', description: '', load: async () => Promise.reject(new Error('unused')) };
  expect(() => registerVerifier(verifier)).toThrow(expect.objectContaining({ code: 'REGISTRATION' }));
});
