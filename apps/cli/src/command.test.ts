import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { helpPage, parseOptions } from './command.js';
import { find, groupPage, isGroup } from './command-group.js';
import { commands, entries } from './commands/index.js';

const folder = mkdtempSync(join(tmpdir(), 'vlgym-options-'));
afterAll(() => rmSync(folder, { recursive: true }));

function configFile(text: string): string {
  const file = join(folder, 'config.json');
  writeFileSync(file, text);
  return file;
}

/** The arguments as a shell would split them. */
const parse = (line: string) => {
  const found = find(entries, line.split(' '));
  return 'group' in found ? found.group.name : parseOptions(found.command, found.args);
};
const usage = (message: RegExp) => expect.objectContaining({ code: 'USAGE', message: expect.stringMatching(message) });

describe('options', () => {
  it('come from defaults, then the config file, then flags', () => {
    const config = configFile('{"env": "vlgym/NumberLine-v1", "episodes": 50, "agent": "oracle"}');
    expect(parse(`eval --config ${config} --episodes 3`)).toMatchObject({
      env: 'vlgym/NumberLine-v1',
      episodes: 3,
      agent: 'oracle',
      parallel: 8,
    });
  });

  it('are numbers, lists, objects, switches, and bare words', () => {
    expect(parse('eval vlgym/NumberLine-v1')).toMatchObject({ env: 'vlgym/NumberLine-v1' });
    expect(
      parse(
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
    expect(parse('setup --force')).toEqual({ fetch: false, force: true });
    expect(parse('setup --no-force')).toMatchObject({ force: false });
    expect(parse('doctor --help')).toBe('help');
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
    ['nothing where a number belongs', 'eval --episodes=', /--episodes: .*number.*got ""/],
    ['a number out of range', 'eval --episodes 0', /--episodes: .*>0, got 0/],
    ['a word among numbers', 'bench --seeds 0,one', /--seeds: .*number.*got \[0,"one"\]/],
    ['a value outside of the choices', 'eval --agent orcle', /"oracle".*got "orcle"/],
    ['an object that is not JSON', 'eval --env-options {size', /--env-options is not JSON: "\{size"/],
    ['one argument too many', 'eval vlgym/EZPoints-v1 again', /Unexpected argument "again"/],
    ['an argument where none belongs', 'doctor now', /Unexpected argument "now"/],
    ['a missing argument', 'replay', /PATH is missing/],
  ])('refuse %s', (_, line, message) => {
    expect(() => parse(line)).toThrow(usage(message));
  });

  it('follow the verb of a group', () => {
    expect(parse('alfworld import games.zip --to data')).toEqual({ from: 'games.zip', to: 'data' });
    expect(parse('alfworld list --task-types look_at_obj_in_light --rejected')).toMatchObject({ rejected: true });
    expect(parse('webshop import data --limit 10')).toMatchObject({ folder: 'data', limit: 10 });
  });

  it('say a thing once, however many items have it', () => {
    expect(() => parse('bench --seeds a,b,c')).toThrow(usage(/^--seeds[^\n]*\n {2}expected/));
  });

  it.each<[what: string, text: string, message: RegExp]>([
    ['a wrong key', '{"episdes": 3}', /"episdes"[\s\S]*did you mean "episodes"\?/],
    ['a wrong value', '{"episodes": "three"}', /--episodes: .*number.*got "three"/],
    ['a list', '[1]', /holds \[1\]/],
    ['broken JSON', '{"episodes": ', /cannot be read/],
  ])('refuse a config file with %s', (_, text, message) => {
    expect(() => parse(`eval --config ${configFile(text)}`)).toThrow(usage(message));
  });

  it('refuse a missing config file', () => {
    expect(() => parse(`eval --config ${join(folder, 'none.json')}`)).toThrow(
      usage(/none\.json cannot be read: ENOENT/),
    );
  });
});

describe.each(commands.map((command) => ({ name: command.name, command })))('the help page of $name', ({ command }) => {
  const page = helpPage(command, 100);
  const [head, examples] = page.split('\nExamples\n') as [string, string];
  const flags = [...head.matchAll(/^ {2}--([a-z-]+)(.*(?:\n {4,}.*)*)/gm)];

  it('says what the command does and what every option is for', () => {
    expect(head).toMatch(new RegExp(`^vlgym ${command.name}`));
    expect(head).toContain(command.description.split(' ').slice(0, 5).join(' '));
    for (const [, , description] of flags) expect(description).toMatch(/[a-z]{3,} [a-z]/);
  });

  it('has examples that the command accepts', () => {
    const lines = examples.split('\n').filter((line) => /^ {2}\S/.test(line));
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      const call = line.match(/(?:^|\s)vlgym (.*?)(?: && .*)?$/)![1]!;
      expect(() => parse(call.replaceAll("'", ''))).not.toThrow();
      expect(`${call} `.startsWith(`${command.name} `)).toBe(true);
    }
  });

  it('fits its width', () => {
    for (const line of head.split('\n')) expect(line.replace(/ \(default.*/, '').length).toBeLessThanOrEqual(100);
  });
});

describe.each(entries.filter(isGroup).map((group) => ({ name: group.name, group })))(
  'the group $name',
  ({ name, group }) => {
    it.each(['', ' help', ' --help', ' -h'])('shows its commands to who types its name and "%s"', (rest) => {
      expect(parse(name + rest)).toBe(name);
    });

    it('has a page that names every command and fits its width', () => {
      const page = groupPage(group, 100);
      for (const verb of group.verbs)
        expect(page).toMatch(new RegExp(`^  ${verb.name} +${verb.summary.slice(0, 20)}`, 'm'));
      for (const verb of group.verbs) expect(verb.name.split(' ')[0]).toBe(name);
      for (const line of page.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
    });
  },
);
