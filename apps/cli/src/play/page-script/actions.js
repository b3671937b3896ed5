/** Actions: as buttons, typed, by key, and as a hint of the expert. */

/** @type {Readonly<Record<string, string>>} */
const KEY_LABELS = { left: '←', right: '→', up: '↑', down: '↓', space: 'space' };

/** Actions that contain what is typed. @returns {readonly ActionChoice[]} */
function matchingActions() {
  if (!scene) return [];
  const { actions, html } = scene;
  const typed = page.words.value.trim().toLowerCase();
  return actions.filter(({ text }) => html !== undefined || text.toLowerCase().includes(typed));
}

const ARROWS = ['left', 'right', 'up', 'down'];

function showActions() {
  const isSite = scene?.html !== undefined;
  const actions = matchingActions();
  const steered = actions.filter(({ keys }) => ARROWS.includes(keys?.[0] ?? ''));
  const onPad = !isSite && steered.length >= 3 ? steered : [];
  page.pad.hidden = onPad.length === 0;
  page.pad.replaceChildren(...onPad.map(actionButton));
  page.actions.hidden = isSite;
  page.actions.replaceChildren(...actions.filter((action) => !onPad.includes(action)).map(actionButton));
}

/** @param {ActionChoice} choice */
function actionButton({ text, says, keys: [key] = [] }) {
  const button = createButton('', () => move(text));
  // a choice among texts says what it does, e.g. the name of the element that `mark[7]` clicks
  button.append(element('span', (scene?.free && says) || text));
  button.dataset.action = text;
  if (key && ARROWS.includes(key)) button.dataset.key = key;
  if (says) button.title = says;
  if (key && (key !== text || ARROWS.includes(key))) {
    const label = element('kbd', KEY_LABELS[key] ?? key);
    label.setAttribute('aria-hidden', 'true');
    button.append(label);
  }
  return button;
}

async function showHint() {
  if (!scene || scene.verdict !== undefined) return;
  try {
    const response = await ask('hint', {});
    /** @type {{ readonly hint: string, readonly reason: string }} */
    const { hint, reason } = await response.json();
    page.advice.replaceChildren(hint ? createButton(hint, () => move(hint)) : reason);
  } catch (error) {
    note(messageOf(error));
  }
}
