/** Words in every text of an episode, with the step where they are first, and none in names of fields. */
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playInto, toolAgent } from '../../test-support/make-run.js';
import { TextSearch } from './search-texts.js';

const home = mkdtempSync(join(tmpdir(), 'vlgym-search-'));
afterAll(() => rmSync(home, { recursive: true }));

describe('a recording', () => {
  beforeAll(() => playInto(home, toolAgent, [0, 1, 2]));

  it.each([
    ['THE TARGET IS ON THE RIGHT', 0],
    ['answered 503', 1],
    ['look_up', 0],
  ])('is searched for "%s"', async (words, step) => {
    const found = await new TextSearch(home).find(words);
    expect(found.size).toBeGreaterThan(0);
    for (const each of found.values()) {
      expect(each.step).toBe(step);
      expect(each.excerpt.toLowerCase()).toContain(words.toLowerCase());
    }
  });

  it('finds no names of fields, and nothing that is not there', async () => {
    for (const words of ['reasoning"', 'toolCalls', 'nowhere in it'])
      expect((await new TextSearch(home).find(words)).size).toBe(0);
  });

  it('looks again when the file has grown, over lines that are damaged', async () => {
    const search = new TextSearch(home);
    expect((await search.find('zebra')).size).toBe(0);
    const step = { event: 'step', id: 'late', step: { index: 4, response: 'A "zebra"\\nruns' } };
    appendFileSync(join(home, 'episodes.jsonl'), `{"event":"step","id":"torn", zebra\n${JSON.stringify(step)}\n`);
    expect([...(await search.find('"zebra"'))]).toEqual([['late', { step: 4, excerpt: 'A "zebra"\\nruns' }]]);
  });
});
