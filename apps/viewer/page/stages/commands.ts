/** A world in words: what it says, the commands that it would take, and the one that was given. */
import { make, type Stage, scrolled, textsIn, unseen } from './stage.js';

export const commands: Stage = ({ info = {}, observation = '', action = '' }, element) => {
  const said = make('pre', '', observation);
  said.tabIndex = 0;
  element.append(said);
  const possible = textsIn(info.admissibleCommands);
  if (possible.length === 0) return;
  const items = possible.map((words) => {
    const isTaken = words === action;
    return make(
      'li',
      `chip ${isTaken ? 'taken' : ''}`,
      isTaken ? [document.createTextNode(words), unseen(', chosen')] : words,
    );
  });
  const closed = make('details', '', [make('summary', '', `${possible.length} possible commands`), scrolled(items)]);
  element.append(closed);
  if (action !== '' && !possible.includes(action)) element.append(make('p', 'badge bad', 'not one of them was chosen'));
};
