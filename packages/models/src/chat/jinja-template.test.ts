/** Templates write what Jinja of Python writes: expected texts are those of transformers 5.24. */
import { describe, expect, it } from 'vitest';
import { JinjaTemplate } from './jinja-template.js';

const options = { source: 'x', imageToken: null, endOfTurn: '', endTokens: [] };
const render = (template: string, tokens: Readonly<Record<string, string>> = {}) =>
  new JinjaTemplate(template, { ...options, tokens }).render([{ role: 'user', content: 'Hi' }]).text;

describe('a template writes', () => {
  it.each([
    ['flags and nothing', '{{ true }}{{ 1 > 2 }}{{ none }}{{ nope }}', 'TrueFalseNone'],
    ['flags in loops and conditions', '{% for m in messages %}{{ loop.last }}{% endfor %}', 'True'],
    ['flags of a block that is set', '{% set x %}{{ true }}{% endset %}{{ x }}', 'True'],
    ['lists', "{{ [1, 'a', none, true, 1.5, {'k': 'v'}] }}", "[1, 'a', None, True, 1.5, {'k': 'v'}]"],
    ['quotes', `{{ ["it's", 'say "x"', "a\\nb", 'é\\t'] }}`, `["it's", 'say "x"', 'a\\nb', 'é\\t']`],
    ['numbers', '{{ 1.0 }} {{ 0.00001 }} {{ 0.1 + 0.2 }} {{ 8 / 2 }}', '1.0 1e-05 0.30000000000000004 4.0'],
    ['JSON as before', '{{ messages|tojson }}', '[{"role": "user", "content": "Hi"}]'],
  ])('%s', (_, template, text) => expect(render(template)).toBe(text));

  it('that there are no tools and documents, which it knows', () => {
    const template = '{{ tools is none }}{{ tools is defined }}{% if documents %}D{% endif %}';
    expect(render(template)).toBe('TrueTrue');
  });

  it('the day, in the fields that Python has', () => {
    const text = render("{{ strftime_now('%A %a %B %b %d %-d %Y %y %H %I %p %M %S %j %%') }}");
    expect(text).toMatch(
      /^[A-Z][a-z]+day [A-Z][a-z]{2} [A-Z][a-z]+ [A-Z][a-z]{2} \d\d \d{1,2} \d{4} \d\d \d\d \d\d [AP]M \d\d \d\d \d{3} %$/,
    );
    expect(() => render("{{ strftime_now('%G') }}")).toThrow('strftime_now() has the field %G');
  });
});
