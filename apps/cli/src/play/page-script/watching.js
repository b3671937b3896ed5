/** Playback of an agent or a recording, and the steps so far. */

/** Steps follow each other without a click. */
let playing = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** @param {PlayView} view */
function showWatching({ watching, verdict }) {
  page.watch.hidden = watching === undefined;
  if (!watching) return;
  const { who, back, episodes } = watching;
  page.who.textContent = `${who} plays`;
  page.back.hidden = !back;
  page.again.hidden = episodes !== undefined;
  page.pick.hidden = episodes === undefined;
  if (episodes && page.episodes.childElementCount !== episodes.length) {
    page.episodes.replaceChildren(...episodes.map((name) => element('option', name)));
  }
  if (episodes && scene) page.episodes.selectedIndex = scene.seed;
  if (verdict !== undefined) pause();
  else if (playing) timer = setTimeout(() => move('next'), 1000 / page.speed.valueAsNumber);
}

function pause() {
  playing = false;
  clearTimeout(timer);
  page.play.firstChild?.replaceWith('Play ');
}

function togglePlaying() {
  if (playing) return pause();
  if (scene?.verdict !== undefined) return;
  playing = true;
  page.play.firstChild?.replaceWith('Pause ');
  move('next');
}

/** @param {'next' | 'back'} which */
function oneStep(which) {
  pause();
  move(which);
}

/** Every step so far, the last one in sight. @param {PlayView} view */
function showLog({ past, step }) {
  page.log.hidden = past.length === 0;
  page.logLines.replaceChildren(
    ...past.map(({ action, reward, thought }, index) => {
      const line = element('li');
      line.append(element('span', String(step - past.length + index + 1)), element('span', action));
      line.append(element('span', number(reward), reward > 0 ? 'good' : reward < 0 ? 'bad' : ''));
      if (thought) line.append(element('span', thought, 'thought'));
      return line;
    }),
  );
  page.logLines.scrollTop = page.logLines.scrollHeight;
}
