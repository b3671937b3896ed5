/** The conversation and the actions, as text. */

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
  talk.scrollTop = talk.scrollHeight;
}
