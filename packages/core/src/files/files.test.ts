import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appendJsonLine, type JsonLine, JsonLineAppender, readJsonLines } from './json-lines.js';
import { AtomicFile, writeFileAtomic } from './write-file-atomic.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vlgym-files-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('writeFileAtomic', () => {
  it('creates missing folders, replaces the file and leaves nothing else', async () => {
    const path = join(folder, 'a', 'b', 'notes.txt');
    await writeFileAtomic(path, 'old');
    await writeFileAtomic(path, new TextEncoder().encode('né 🂡'));
    expect(await readFile(path, 'utf8')).toBe('né 🂡');
    expect(await readdir(join(folder, 'a', 'b'))).toEqual(['notes.txt']);
  });

  it('keeps the old file until the new one is complete', async () => {
    const path = join(folder, 'notes.txt');
    await writeFileAtomic(path, 'old');
    const file = await AtomicFile.create(path);
    await file.write(new TextEncoder().encode('ne_'));
    await file.write(new TextEncoder().encode('w'), 2);
    expect(await readFile(path, 'utf8')).toBe('old');
    await file.commit();
    expect(await readFile(path, 'utf8')).toBe('new');
  });

  it('reports why it failed, and removes the partial file', async () => {
    await mkdir(join(folder, 'taken'));
    await expect(writeFileAtomic(join(folder, 'taken'), 'x')).rejects.toMatchObject({
      code: 'FILE_WRITE_FAILED',
      reason: 'EISDIR',
      path: join(folder, 'taken'),
    });
    await writeFile(join(folder, 'file'), '');
    await expect(writeFileAtomic(join(folder, 'file', 'x'), 'x')).rejects.toMatchObject({ reason: 'EEXIST' });
    expect(await readdir(folder)).toEqual(['file', 'taken']);
  });
});

describe('JSON lines', () => {
  const path = () => join(folder, 'deep', 'lines.jsonl');
  const jsonObjects = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 8 });

  it('returns every object, in the order of the calls', async () => {
    await fc.assert(
      fc.asyncProperty(jsonObjects, async (objects) => {
        const expected = objects.map((object) => JSON.parse(JSON.stringify(object)));
        const appender = await JsonLineAppender.open(path());
        await Promise.all(objects.map((object) => appender.append(object))); // overlapping on purpose
        await appender.close();
        expect(values(await collect(path()))).toEqual(expected);
        await rm(path());
      }),
      { numRuns: 30 },
    );
  });

  it('keeps every complete line, wherever the last one was torn', async () => {
    for (const object of [{ a: 1 }, { b: 'é🂡' }]) await appendJsonLine(path(), object);
    const whole = await readFile(path());
    const secondLine = whole.indexOf(0x0a) + 1;
    for (let size = secondLine + 1; size < whole.length; size++) {
      await writeFile(path(), whole);
      await truncate(path(), size);
      const complete = size === whole.length - 1; // only the newline is missing
      const lines = await collect(path());
      expect(values(lines)).toEqual(complete ? [{ a: 1 }, { b: 'é🂡' }] : [{ a: 1 }]);
      if (!complete) expect(lines[1]).toMatchObject({ line: 2, problem: 'torn', bytes: size - secondLine });

      const appender = await JsonLineAppender.open(path());
      expect(appender.tornBytes).toBe(complete ? 0 : size - secondLine);
      await appender.append({ c: 3 });
      await appender.close();
      expect(values(await collect(path()))).toEqual([{ a: 1 }, ...(complete ? [{ b: 'é🂡' }] : []), { c: 3 }]);
    }
  });

  it('removes a torn line that is longer than one chunk, and one that is the whole file', async () => {
    await appendJsonLine(path(), { a: 1 });
    await appendFile(path(), `{"long":"${'x'.repeat(2_500_000)}`);
    const appender = await JsonLineAppender.open(path());
    expect(appender.tornBytes).toBe(2_500_009);
    await appender.close();
    expect(values(await collect(path()))).toEqual([{ a: 1 }]);
    await writeFile(path(), '{"torn');
    await (await JsonLineAppender.open(path())).close();
    expect(await readFile(path(), 'utf8')).toBe('');
  });

  it('reads lines across chunk borders', async () => {
    const objects = [{ long: 'y'.repeat(1_500_000) }, { short: 1 }, { long: 'é'.repeat(800_000) }];
    for (const object of objects) await appendJsonLine(path(), object);
    expect(values(await collect(path()))).toEqual(objects);
  });

  it('reports the line it cannot read, and continues', async () => {
    await mkdir(join(folder, 'deep'));
    await writeFile(path(), Buffer.concat([Buffer.from('{"a":1}\n\n{oops\n{"big":"'), Buffer.alloc(50, 'z')]));
    await appendFile(
      path(),
      Buffer.concat([Buffer.from('"}\n'), Buffer.of(0x22, 0xff, 0x22), Buffer.from('\n{"b":2}\n')]),
    );
    expect(await collect(path(), { maxLineBytes: 20 })).toMatchObject([
      { line: 1, value: { a: 1 } },
      { line: 3, problem: 'not-json' },
      { line: 4, problem: 'too-long', bytes: 60 },
      { line: 5, problem: 'not-utf8' },
      { line: 6, value: { b: 2 } },
    ]);
  });

  it('refuses to append after it was closed', async () => {
    const appender = await JsonLineAppender.open(path());
    await appender.close();
    await appender.close();
    await expect(appender.append({})).rejects.toMatchObject({ code: 'FILE_WRITE_FAILED', reason: 'CLOSED' });
  });
});

async function collect(path: string, options?: { maxLineBytes: number }): Promise<JsonLine[]> {
  const lines: JsonLine[] = [];
  for await (const line of readJsonLines(path, options)) lines.push(line);
  return lines;
}

function values(lines: readonly JsonLine[]): unknown[] {
  return lines.flatMap((line) => ('value' in line ? [line.value] : []));
}
