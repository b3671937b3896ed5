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
