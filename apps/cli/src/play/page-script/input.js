/** What a person does: buttons, words, keys, and hints. */

/** @type {Readonly<Record<string, string>>} */
const KEY_LABELS = { left: '←', right: '→', up: '↑', down: '↓', space: 'space' };

/** Actions that contain what is typed. @returns {readonly ActionChoice[]} */
function matchingActions() {
  if (!scene) return [];
  const { actions, html } = scene;
  const typed = page.words.value.trim().toLowerCase();
  return actions.filter(({ text }) => html !== undefined || text.toLowerCase().includes(typed));
}

function showActions() {
  page.actions.hidden = scene?.html !== undefined;
  page.actions.replaceChildren(
    ...matchingActions().map(({ text, says, key }) => {
      const button = createButton(text, () => move(text));
      button.dataset.action = text;
      if (says) button.title = says;
      if (key && key !== text) button.append(element('kbd', KEY_LABELS[key] ?? key));
      return button;
    }),
  );
}

page.words.addEventListener('input', showActions);
page.say.addEventListener('submit', (event) => {
  event.preventDefault();
  const typed = page.words.value.trim();
  const [only, ...others] = matchingActions();
  if (typed !== '') move(only && others.length === 0 ? only.text : typed);
});
page.next.addEventListener('click', () => {
  if (!busy && scene) void load('restart', { seed: scene.seed + 1 });
});
page.again.addEventListener('submit', (event) => {
  event.preventDefault();
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  if (!busy) void load('restart', { seed: page.seed.valueAsNumber });
});
page.hint.addEventListener('click', showHint);

async function showHint() {
  if (!scene || scene.verdict !== undefined) return;
  try {
    const response = await ask('hint', {});
    /** @type {{ readonly hint: string }} */
    const { hint } = await response.json();
    page.advice.replaceChildren(hint ? createButton(hint, () => move(hint)) : 'the expert sees no way from here');
  } catch (error) {
    note(messageOf(error));
  }
}

addEventListener('keydown', (event) => {
  const target = /** @type {Element} */ (event.target);
  if (!scene || event.ctrlKey || event.metaKey || event.altKey || target.matches('input, ol')) return;
  const name = event.key === ' ' ? 'space' : event.key.toLowerCase().replace(/^arrow/, '');
  if (scene.watching && ['left', 'right', 'space'].includes(name)) {
    if (target.matches('button, select')) return;
    event.preventDefault();
    if (name === 'space') togglePlaying();
    else oneStep(name === 'left' ? 'back' : 'next');
    return;
  }
  if (name === '?') {
    event.preventDefault();
    void showHint();
    return;
  }
  if (name === 'enter' && scene.verdict !== undefined && !target.matches('button')) page.next.click();
  const action = scene.actions.find(({ key }) => key === name);
  if (!action || (name === 'space' && target.matches('button'))) return;
  event.preventDefault();
  move(action.text);
});
