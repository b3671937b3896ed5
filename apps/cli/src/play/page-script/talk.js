/** The conversation and the actions, as text. */

/** A board in letters: its columns are right in a font whose letters are equally wide. @param {string} text */
function isBoard(text) {
  const [first, ...rest] = text.split('\n').map((line) => line.trim());
  return rest.length > 0 && !/[a-z]{3}/.test(text) && rest.every((line) => line.length === first?.length);
}

/** @param {PageScene} scene */
function showTalk({ html, text, past, pictures }) {
  const { talk } = page;
  talk.hidden = html !== undefined || (text === undefined && (past.length === 0 || pictures.length > 0));
  talk.classList.toggle('beside', pictures.length > 0);
  talk.replaceChildren();
  for (const turn of past) {
    if (turn.text !== undefined) talk.append(element('p', turn.text.trim()));
    const line = element('p', turn.action, 'action');
    if (turn.reward !== 0) line.append(element('span', number(turn.reward), turn.reward > 0 ? 'good' : 'bad'));
    talk.append(line);
  }
  if (text !== undefined) talk.append(element('p', text.trim(), 'now'));
  for (const paragraph of talk.children) paragraph.classList.toggle('board', isBoard(paragraph.textContent ?? ''));
  talk.scrollTop = talk.scrollHeight;
}
