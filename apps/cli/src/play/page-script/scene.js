/** A scene: the part above the picture, and the functions that show the rest. */

/** @param {unknown} error */
const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/** @param {number | undefined} value */
const number = (value) => (value === undefined ? '–' : String(Number(value.toFixed(3))));

/** @param {string | undefined} text */
function note(text) {
  page.note.textContent = text ?? '';
  page.note.hidden = !text;
}

/** @param {PageScene} next */
function show(next) {
  const isNewTurn = scene?.turn !== next.turn;
  scene = next;
  note(next.note ?? next.reason);
  if (!isNewTurn) return;
  document.title = `${next.env} · vlgym play`;
  document.body.dataset.turn = String(next.turn);
  showScore(next);
  page.task.textContent = next.task ?? '';
  page.task.hidden = !next.task;
  page.advice.textContent = '';
  page.prompt.textContent = next.prompt ?? 'nothing';
  page.info.textContent = next.info;
  showVerdict(next);
  showPictures(next);
  showSite(next.html);
  showTalk(next);
  page.say.hidden = !next.free || next.html !== undefined || next.verdict !== undefined;
  page.help.hidden = next.verdict !== undefined || next.watching !== undefined;
  showWatching(next);
  showLog(next);
  page.words.value = '';
  showActions();
  if (!page.say.hidden && document.activeElement !== page.seed) page.words.focus();
}

/** @param {PlayView} view */
function showScore({ env, step, limit, reward, return: sum, seed }) {
  page.env.textContent = env;
  page.step.textContent = limit ? `${step} of ${limit}` : String(step);
  page.reward.textContent = number(reward);
  page.reward.className = !reward ? '' : reward > 0 ? 'good' : 'bad';
  page.return.textContent = number(sum);
  if (document.activeElement !== page.seed) page.seed.value = String(seed);
}

/** @param {PlayView} view */
function showVerdict({ verdict, parts, reward }) {
  const shown = verdict !== undefined || reward ? parts : [];
  page.verdict.hidden = verdict === undefined && shown.length === 0;
  page.verdictTitle.textContent = verdict ?? (shown.length > 0 ? 'Reward' : '');
  page.verdictParts.replaceChildren(
    ...shown.map(([name, value]) => {
      const row = element('div');
      row.append(element('dt', name), element('dd', value));
      return row;
    }),
  );
}
