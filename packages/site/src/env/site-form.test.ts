/** An agent fills and submits a form of every kind of field, in frames and shadow roots, by three ways of acting. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM, NEEDS_CHROMIUM } from '../../test-support/chromium.js';
import { type FormSite, openFormSite, orderOf } from '../../test-support/form-site.js';
import { browserGymObservation } from '../observation/browsergym.js';
import type { SiteObservation } from '../observation/site-observation.js';
import { SiteEnv } from './site-env.js';

describe.skipIf(!CHROMIUM)(`a form site${NEEDS_CHROMIUM}`, () => {
  let site: FormSite;
  let env: SiteEnv;
  let now: SiteObservation;
  const judge = ({
    observation,
    answer,
    infeasible,
  }: {
    observation: SiteObservation;
    answer?: string;
    infeasible?: string;
  }) => ({
    reward: observation.title === 'Thanks' || answer === '42' ? 1 : 0,
    done: observation.title === 'Thanks' || answer !== undefined || infeasible !== undefined,
  });
  beforeAll(async () => {
    site = await openFormSite();
    const files = { 'letter.txt': 'Dear shop' };
    const tasks = ['', 'covered'].map((page) => ({
      instruction: `Order ${page}`,
      start: site.address + page,
      files,
      judge,
    }));
    env = new SiteEnv(tasks, { screenshot: false, accessibility: true, tabs: true, dialogue: 'browsergym-v1' });
  });
  afterAll(async () => {
    await env.close();
    site.close();
  });

  const begin = async (task = 0) => {
    now = (await env.reset({ seed: 1, options: { task } })).observation;
  };
  const act = async (action: string) => {
    const result = await env.step(action);
    now = result.observation;
    expect(env.observationSpace.contains(now)).toBe(true);
    return result;
  };
  const must = async (action: string) => {
    const result = await act(action);
    expect([action, result.info.reason]).toEqual([action, undefined]);
    return result;
  };
  const element = (name: string) => {
    const found = now.elements.find((candidate) => candidate.name === name);
    expect(found, `an element named ${name}`).toBeDefined();
    return found!;
  };
  const bid = (name: string) => `'${element(name).mark}'`;
  const center = (name: string) => {
    const [x, y, width, height] = element(name).box;
    return `${x + Math.round(width / 2)}, ${y + Math.round(height / 2)}`;
  };

  it('is filled and sent by BrowserGym action names, several in one step', async () => {
    await begin();
    await must(
      [
        `fill(${bid('Name')}, 'Ada "the" first')  # replaces the default`,
        `fill(${bid('Count')}, "3")`,
        `fill(bid=${bid('Day')}, value='2026-11-22')`,
        `select_option(${bid('Color')}, 'Blue'); check(${bid('Gift')})`,
        `check(${bid('Large')})`,
        `upload_file(${bid('Letter')}, 'letter.txt')`,
        `fill(${bid('Code')}, 'pin')`,
        `fill(${bid('Note')}, 'two\\nlines')`,
        `fill(${bid('Secret')}, 'shadow')`,
        `fill(${bid('Street')}, 'Main')`,
      ].join('\n'),
    );
    expect(element('Name').value).toBe('Ada "the" first');
    expect(element('Code').value).toBe('•••');
    expect(element('Color')).toMatchObject({ value: 'b', selected: ['Blue'], options: ['none', 'Red', 'Blue'] });
    expect([element('Gift').checked, element('Small').checked, element('Large').checked]).toEqual([true, false, true]);
    expect(element('Letter').value).toBe('letter.txt');
    const last = await act(`click(${bid('Send it')})`);
    expect(last).toMatchObject({ reward: 1, terminated: true });
    expect(orderOf(site.orders.at(-1)!)).toEqual({
      name: 'Ada "the" first',
      count: '3',
      day: '2026-11-22',
      color: 'b',
      gift: 'on',
      size: 'large',
      letter: 'letter.txt: Dear shop',
      code: 'pin',
      note: 'two\r\nlines',
      shadow: 'shadow',
      framed: 'Main',
    });
  });

  it('is filled and sent by marks', async () => {
    await begin();
    const click = (name: string) => must(`mark[${element(name).mark}]`);
    await click('Name');
    await must("keyboard_press('Control+a')");
    await must('type[Grace]');
    expect(element('Name')).toMatchObject({ value: 'Grace', focused: true });
    for (const name of ['Gift', 'Small', 'Street']) await click(name);
    await must('type[Side]\nkey[Tab]');
    expect(element('In frame').focused).toBe(true);
    expect(await click('Send it')).toMatchObject({ terminated: true });
    expect(orderOf(site.orders.at(-1)!)).toMatchObject({ name: 'Grace', gift: 'on', size: 'small', framed: 'Side' });
  });

  it('is filled and sent by coordinates', async () => {
    await begin();
    await must(`mouse_dblclick(${center('Name')})\nkeyboard_type('Mary')`);
    await must(`mouse_click(${center('Count')})\nkeyboard_type('12')`);
    await must(`at[${center('Gift').replace(' ', '')}]`);
    await must(`mouse_click(${center('Secret')})\nkeyboard_insert_text('茶')`);
    await must(`mouse_upload_file(${center('Letter')}, ['letter.txt'])`);
    expect(await act(`mouse_click(${center('Send it')})`)).toMatchObject({ terminated: true });
    expect(orderOf(site.orders.at(-1)!)).toMatchObject({
      name: 'Mary',
      count: '12',
      gift: 'on',
      letter: 'letter.txt: Dear shop',
      shadow: '茶',
    });
  });

  it('says that typing, checking, choosing and focusing a field had an effect, and that nothing else had', async () => {
    await begin();
    const effective = async (action: string) => (await must(action)).info.actionEffective;
    expect(await effective(`focus(${bid('Name')})`)).toBe(true);
    expect(await effective("keyboard_type('x')")).toBe(true);
    expect(await effective(`clear(${bid('Name')})`)).toBe(true);
    expect(await effective(`clear(${bid('Name')})`)).toBe(false);
    expect(await effective(`select_option(${bid('Color')}, ['Red'])`)).toBe(true);
    expect(await effective(`select_option(${bid('Color')}, 'r')`)).toBe(false);
    expect(await effective(`uncheck(${bid('Gift')})`)).toBe(false);
    expect(await effective('noop(1)')).toBe(false);
  });

  it('names elements alike in the list and in the accessibility tree, frames and shadow roots included', async () => {
    await begin();
    const { accessibility } = now;
    for (const [name, role] of [
      ['Name', 'textbox'],
      ['Count', 'spinbutton'],
      ['Secret', 'textbox'],
      ['Street', 'textbox'],
      ['Send it', 'button'],
    ])
      expect(accessibility).toContain(`[${element(name!).mark}] ${role} "${name}"`);
    const gym = browserGymObservation(now, { instruction: 'Order' }, 'noop()');
    expect(gym).toMatchObject({
      goal: 'Order',
      open_pages_titles: ['Order'],
      active_page_index: [0],
      last_action: 'noop()',
    });
    expect(gym.extra_element_properties[element('Name').mark]).toMatchObject({ visibility: 1, clickable: true });
  });

  it('keeps the number of an element while the page changes', async () => {
    await begin();
    const before = element('Send it').mark;
    await env.page!.evaluate("document.querySelector('h1').insertAdjacentHTML('afterend', '<button>New</button>')");
    await must('noop(1)');
    expect([element('Send it').mark, now.elements[0]!.name]).toEqual([before, 'New']);
    // nothing of it is visible to the page
    expect(await env.page!.evaluate("Object.keys(globalThis).some((key) => key.startsWith('vlgym'))")).toBe(false);
  });

  it('hovers, double clicks, presses combinations, and scrolls elements', async () => {
    await begin();
    expect(now.text).not.toContain('Hidden link');
    await must(`hover(${bid('Menu')})`);
    expect(now.text).toContain('Hidden link');
    await must(`dblclick(${bid('Twice')})`);
    expect(now.text).toContain('two');
    await must(`press(${bid('Twice')}, 'Control+k')`);
    expect(now.text).toContain('keys');
    const list = element('Long list');
    expect(list.role).toBe('region');
    const [, before] = element('Pick 0').box;
    expect((await must(`scroll(0, 80, '${list.mark}')`)).info.actionEffective).toBe(true);
    expect(element('Pick 0').box[1]).toBe(before - 80);
    await must(`click(${bid('Pick 15')})`);
    expect(now.text).toContain('line 15');
  });

  it('answers dialogs as told, and shows what they said', async () => {
    await begin();
    await must(`click(${bid('Ask')})`);
    expect(now.dialogs).toEqual([{ type: 'confirm', message: 'Really?', accepted: false }]);
    expect(now.text).toContain('no');
    await must(`accept_dialog()\nclick(${bid('Ask')})`);
    expect(now.dialogs).toEqual([
      { type: 'confirm', message: 'Really?', accepted: true },
      { type: 'prompt', message: 'Why?', accepted: false },
    ]);
    expect((await must('noop(1)')).observation.dialogs).toEqual([]);
  });

  it('opens, shows and closes tabs', async () => {
    await begin();
    await must(`click(${bid('Terms')})`);
    expect(now.tabs.map(({ title, active }) => [title, active])).toEqual([
      ['Order', false],
      ['Terms', true],
    ]);
    expect(now.text).toBe('The terms. [SEP] Close me');
    await must('tab_focus(0)');
    expect(now.title).toBe('Order');
    await must("new_tab()\ngoto('/plain')");
    expect([now.title, now.tabs.length]).toEqual(['Plain', 3]);
  });

  it('continues in the tab before when a tab closes itself', async () => {
    await begin();
    await must(`click(${bid('Terms')})`);
    await must(`click(${bid('Close me')})`);
    expect([now.title, now.tabs.length]).toEqual(['Order', 1]);
    expect((await act('tab_close()')).info.reason).toBe('the first tab stays open');
  });

  it('goes back, forward, and loads again', async () => {
    await begin();
    await must(`click(${bid('Plain')})`);
    expect(now.title).toBe('Plain');
    await must('go_back()');
    expect(now.title).toBe('Order');
    await must('go_forward()');
    expect(now.title).toBe('Plain');
    await must('reload()');
    expect(now.title).toBe('Plain');
    expect((await act('go_forward()')).info.reason).toBe('no page to go forward to');
  });

  it('does not click through what covers an element, and says what it is', async () => {
    await begin(1);
    expect(element('Under').covered).toBe('button "Go away"');
    expect((await act(`click(${bid('Under')})`)).info.reason).toMatch(/is covered by button "Go away"/);
    await must(`click(${bid('Go away')})`);
    expect(element('Under').covered).toBeUndefined();
    await must(`click(${bid('Under')})`);
    expect(now.text).toContain('1');
  });

  it.each([
    ["click('999')", 'unknown element 999'],
    ['click(', /not a call: expected/],
    ["explode('1')", 'unknown action "explode"'],
    ["fill('1')", /fill needs "value"/],
    ["fill(bid='1', text='x')", /fill has no argument "text"/],
    ["upload_file('8', '/etc/passwd')", 'the task has no file "/etc/passwd"'],
    ["keyboard_press('Hyper+x')", /is not Shift, Control, Alt or Meta/],
    ["noop(1)\nselect_option('4', 'Green')", /action 2 of 2: it has no option "Green" to choose; it has "none", "Red"/],
    ["click('12')\nclick('1')", /disabled|covered|unknown|undefined/],
  ])('says what is wrong with %s', async (action, reason) => {
    await begin();
    const target = action.includes("click('12')") ? `click(${bid('Never')})\nnoop(1)` : action;
    const { info } = await act(target);
    expect(info.reason).toMatch(reason);
    expect(info.actionValid).toBe(false);
  });

  it('takes an answer, and a report that the task cannot be done', async () => {
    await begin();
    expect(await act("send_msg_to_user('42')")).toMatchObject({ reward: 1, terminated: true });
    await begin();
    expect(await act("report_infeasible('no such page')")).toMatchObject({ reward: 0, terminated: true });
  });

  it('is described to a model, whose answer is read', async () => {
    const { observation, info } = await env.reset({ seed: 1, options: { task: 0 } });
    now = observation;
    const context = { observation, info, history: [] };
    const [message] = env.dialogue.prompt(context);
    expect(JSON.stringify(message)).toContain("fill('7', 'green tea')");
    const action = `fill(${bid('Name')}, 'Eve')\ncheck(${bid('Gift')})`;
    const parsed = env.dialogue.parse(env.dialogue.demonstrate!(context, action), context);
    expect(parsed).toMatchObject({ action, legal: true });
    expect(env.dialogue.parse('<think>x</think><action>jump(1)</action>', context)).toMatchObject({ legal: false });
    await must(parsed.action!);
    expect(element('Name').value).toBe('Eve');
  });
});
