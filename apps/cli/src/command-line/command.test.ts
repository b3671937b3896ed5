import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { entries } from '../commands/index.js';
import { wordsOf } from '../launch/plan.js';
import { argumentsOf, type Command, defineCommand, helpPage, parseOptions } from './command.js';
import { allCommands, find, groupPage, isGroup } from './command-group.js';

const commands = await allCommands(entries);
const loaded = await Promise.all(entries.map(async (entry) => ({ entry, command: await entry.load() })));
const groups = loaded.map(({ command }) => command).filter(isGroup);

const folder = mkdtempSync(join(tmpdir(), 'vlgym-options-'));
afterAll(() => rmSync(folder, { recursive: true }));

function configFile(text: string): string {
  const file = join(folder, 'config.json');
  writeFileSync(file, text);
  return file;
}

/** The arguments as a shell would split them. */
const parse = (line: string) => parseWords(line.split(' '));
const parseWords = async (words: readonly string[]) => {
  const found = await find(entries, words);
  return 'group' in found ? found.group.name : parseOptions(found.command, found.args);
};
const usage = (message: RegExp) => expect.objectContaining({ code: 'USAGE', message: expect.stringMatching(message) });

describe('options', () => {
  it('come from defaults, then the config file, then flags', async () => {
    const config = configFile('{"env": "vlgym/NumberLine-v1", "episodes": 50, "agent": "oracle"}');
    expect(await parse(`eval --config ${config} --episodes 3`)).toMatchObject({
      env: 'vlgym/NumberLine-v1',
      episodes: 3,
      agent: 'oracle',
      parallel: 8,
    });
  });

  it('are numbers, lists, objects, switches, and bare words', async () => {
    expect(await parse('eval vlgym/NumberLine-v1')).toMatchObject({ env: 'vlgym/NumberLine-v1' });
    expect(
      await parse(
        'bench vlgym/Points24-v1 vlgym/EZPoints-v1 --seeds 0,1 --algorithms vl-dac,rl4vlm --set {"loss":{"clipLow":0.1}}',
      ),
    ).toEqual(
      expect.objectContaining({
        envs: ['vlgym/Points24-v1', 'vlgym/EZPoints-v1'],
        seeds: [0, 1],
        algorithms: ['vl-dac', 'rl4vlm'],
        set: { loss: { clipLow: 0.1 } },
      }),
    );
    expect(await parse('setup --force')).toEqual({ fetch: false, force: true });
    expect(await parse('setup --no-force')).toMatchObject({ force: false });
    expect(await parse('doctor --help')).toBe('help');
  });

  it('are ranges, and single keys of objects', async () => {
    expect(await parse('bench --seeds 0-2,7')).toMatchObject({ seeds: [0, 1, 2, 7] });
    expect(
      await parse('train --set loss.clipLow=0.2 --set loss.clipHigh=0.3 --set {"optimizer":{"epochs":1}}'),
    ).toMatchObject({ set: { loss: { clipLow: 0.2, clipHigh: 0.3 }, optimizer: { epochs: 1 } } });
    expect(await parse('eval --env-options split=test --env-options size=56')).toMatchObject({
      envOptions: { split: 'test', size: 56 },
    });
  });

  it('come from YAML, with ranges, lists, dotted keys, and either spelling of a name', async () => {
    const yaml = [
      '# an ablation',
      'envs: [vlgym/EZPoints-v1, vlgym/NumberLine-v1]',
      'seeds: 0-2',
      'steps-per-update: 64',
      'set:',
      '  loss.clipLow: 0.2',
      '  vl-dac:wide: { loss: { clipHigh: 0.3 } }',
    ].join('\n');
    const config = configFile(yaml);
    const set = { loss: { clipLow: 0.2 }, 'vl-dac:wide': { loss: { clipHigh: 0.3 } } };
    expect(await parse(`bench --config ${config}`)).toMatchObject({
      envs: ['vlgym/EZPoints-v1', 'vlgym/NumberLine-v1'],
      seeds: [0, 1, 2],
      stepsPerUpdate: 64,
      set,
    });
    expect(await parse(`bench --config ${config} --set loss.clipHigh=0.4`)).toMatchObject({
      set: { ...set, loss: { clipLow: 0.2, clipHigh: 0.4 } },
    });
  });

  it('become the words that give them again', async () => {
    const { command } = (await find(entries, ['bench'])) as { command: Command };
    const typed =
      'bench vlgym/EZPoints-v1 vlgym/NumberLine-v1 --updates 3 --algorithms vl-dac --seeds 0,4 --set {"loss":{"clipLow":0.2}} --controls';
    const options = (await parse(typed)) as Record<string, unknown>;
    const words = argumentsOf(command, options);
    expect(words.join(' ').split(' ').sort()).toEqual(typed.split(' ').sort());
    expect(parseOptions(command, words.slice(1))).toEqual(options);
    expect(argumentsOf(command, options, ['jobs'])).toEqual(expect.arrayContaining(['--jobs']));
  });

  it.each<[what: string, line: string, message: RegExp]>([
    ['an unknown command', 'evl', /"evl"[\s\S]*did you mean "eval"\?/],
    ['an unknown verb', 'alfworld dowload', /"alfworld dowload"[\s\S]*did you mean "alfworld download"\?/],
    ['a verb unlike any other', 'alfworld nope', /"alfworld nope"[\s\S]*vlgym alfworld --help lists them/],
    ['one of a group of one', 'webshop sell', /"webshop sell"[\s\S]*vlgym webshop --help lists them/],
    ['an option of another verb', 'alfworld list --version 2.1.1', /"--version"[\s\S]*vlgym alfworld list --help/],
    ['an unknown version', 'alfworld download --version 3', /--version: .*"2\.1\.1".*got "3"/],
    ['a malformed checksum', 'alfworld download --sha256 ab,cd', /--sha256: .*64 hexadecimal/],
    ['an unknown option', 'eval --agnt oracle', /"--agnt"[\s\S]*did you mean "--agent"\?/],
    ['an option of another command', 'doctor --episodes 3', /"--episodes"[\s\S]*vlgym doctor --help/],
    ['a short option', 'eval -x', /"-x"/],
    ['an option without its value', 'eval --episodes', /--episodes needs a value/],
    ['a config option without its file', 'eval --config', /--config needs a value/],
    ['a word where a number belongs', 'eval --episodes five', /--episodes: .*number.*got "five"/],
    ['nothing if a number belongs', 'eval --episodes=', /--episodes: .*number.*got ""/],
    ['a number out of range', 'eval --episodes 0', /--episodes: .*>0, got 0/],
    ['a word among numbers', 'bench --seeds 0,one', /--seeds: .*number.*got \[0,"one"\]/],
    ['a value outside of the choices', 'completion tcsh', /"fish".*got "tcsh"/],
    ['an object that is not JSON', 'eval --env-options {size', /--env-options is neither.*: "\{size"/],
    ['a list for an object', 'eval --env-options [1]', /--env-options is neither.*: "\[1\]"/],
    ['a pair without a value', 'eval --env-options size', /--env-options is neither.*: "size"/],
    ['a pair with a hole in its key', 'train --set loss..clipLow=1', /Invalid key: "loss..clipLow"/],
    ['a key that objects lack', 'eval --env-options __proto__.x=1', /Invalid key: "__proto__\.x"/],
    ['the same as JSON', 'train --set {"__proto__":{"loss":1}}', /Invalid key: "__proto__"/],
    ['a range that goes down', 'bench --seeds 4-2', /Invalid range: "4-2"/],
    ['a range without end', 'bench --seeds 0-99999999', /Invalid range: "0-99999999"/],
    ['one argument too many', 'eval vlgym/EZPoints-v1 again', /Unexpected argument "again"/],
    ['an argument where none belongs', 'doctor now', /Unexpected argument "now"/],
    ['a missing argument', 'replay', /PATH is missing/],
  ])('refuse %s', async (_, line, message) => {
    await expect(parse(line)).rejects.toThrow(usage(message));
  });

  it('follow the verb of a group', async () => {
    expect(await parse('alfworld import games.zip --to data')).toEqual({ from: 'games.zip', to: 'data' });
    expect(await parse('alfworld list --task-types look_at_obj_in_light --rejected')).toMatchObject({ rejected: true });
    expect(await parse('webshop import data --limit 10')).toMatchObject({ folder: 'data', limit: 10 });
  });

  it('say a thing once, however many items have it', async () => {
    await expect(parse('bench --seeds a,b,c')).rejects.toThrow(usage(/^--seeds[^\n]*\n {2}expected/));
  });

  it.each<[what: string, text: string, message: RegExp]>([
    ['a wrong key', '{"episdes": 3}', /"episdes"[\s\S]*did you mean "episodes"\?/],
    ['a wrong value', '{"episodes": "three"}', /--episodes: .*number.*got "three"/],
    ['a list', '[1]', /holds \[1\]/],
    ['broken JSON', '{"episodes": ', /cannot be read/],
  ])('refuse a config file with %s', async (_, text, message) => {
    await expect(parse(`eval --config ${configFile(text)}`)).rejects.toThrow(usage(message));
  });

  it('refuse a missing config file', async () => {
    await expect(parse(`eval --config ${join(folder, 'none.json')}`)).rejects.toThrow(
      usage(/none\.json cannot be read: ENOENT/),
    );
  });
});

it('a command is its file and its line in the list: it is found, parsed and explained', async () => {
  const greet = defineCommand({
    name: 'greet',
    summary: 'greet somebody',
    description: 'Greets a person by name.',
    positional: 'person',
    options: z.object({ person: z.string(), times: z.number().default(1).describe('number of greetings') }),
    examples: [{ command: 'vlgym greet Ada', does: 'once' }],
    run: async ({ times }) => times,
  });
  const { name, summary } = greet;
  const more = [...entries, { name, summary, load: async () => greet as unknown as Command }];
  const found = await find(more, ['greet', 'Ada', '--times', '2']);
  expect('command' in found && parseOptions(found.command, found.args)).toEqual({ person: 'Ada', times: 2 });
  expect(await helpPage(greet as unknown as Command, 100)).toMatch(/--times .*number of greetings/);
  await expect(find(more, ['gret'])).rejects.toThrow(usage(/did you mean "greet"/));
});

it.each(loaded)('the overview says of $entry.name what its file says', ({ entry, command }) => {
  expect(entry).toMatchObject({ name: command.name, summary: command.summary });
});

describe.each(commands.map((command) => ({ name: command.name, command })))(
  'the help page of $name',
  async ({ command }) => {
    const page = await helpPage(command, 100);
    const [head, examples] = page.split('\nExamples\n') as [string, string];
    const flags = [...head.matchAll(/^ {2}--([a-z-]+)(.*(?:\n {4,}.*)*)/gm)];

    it('says what the command does and what every option is for', () => {
      expect(head).toMatch(new RegExp(`^vlgym ${command.name}`));
      expect(head).toContain(command.description.split(' ').slice(0, 5).join(' '));
      for (const [, , description] of flags) expect(description).toMatch(/[a-z]{3,} [a-z]/);
    });

    it('has examples that the command accepts', async () => {
      const lines = examples.split('\n').filter((line) => /^ {2}\S/.test(line));
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) {
        const call = line.match(/(?:^|\s)vlgym (.*?)(?: && .*)?$/)![1]!;
        const words = wordsOf(call.replace('run.yaml', configFile('updates: 3')));
        await expect(parseWords(words)).resolves.toBeDefined();
        expect(`${call} `.startsWith(`${command.name} `)).toBe(true);
      }
    });

    it('fits its width', () => {
      for (const line of head.split('\n')) expect(line.replace(/ \(default.*/, '').length).toBeLessThanOrEqual(100);
    });
  },
);

describe.each(groups.map((group) => ({ name: group.name, group })))('the group $name', ({ name, group }) => {
  it.each(['', ' help', ' --help', ' -h'])('shows its commands to who types its name and "%s"', async (rest) => {
    expect(await parse(name + rest)).toBe(name);
  });

  it('has a page that names every command and fits its width', () => {
    const page = groupPage(group, 100);
    for (const verb of group.verbs)
      expect(page).toMatch(new RegExp(`^  ${verb.name} +${verb.summary.slice(0, 20)}`, 'm'));
    for (const verb of group.verbs) expect(verb.name.split(' ')[0]).toBe(name);
    for (const line of page.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  });
});
