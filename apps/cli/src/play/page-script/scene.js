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
  page.anyway.hidden = next.refused === undefined;
  if (!isNewTurn) return;
  document.title = `${next.title} · vlgym play`;
  document.body.dataset.turn = String(next.turn);
  showScore(next);
  page.task.textContent = next.task ?? '';
  page.task.hidden = !next.task;
  showGuide(next);
  page.advice.textContent = '';
  page.prompt.textContent = next.prompt ?? 'nothing';
  page.id.textContent = `${next.env}, seed ${next.seed}`;
  page.info.textContent = next.info;
  page.undo.hidden = !next.undo;
  page.hint.hidden = next.verdict !== undefined || !next.hints;
  showVerdict(next);
  showPictures(next);
  showSite(next.html);
  showTalk(next);
  page.say.hidden = !next.free || next.html !== undefined || next.verdict !== undefined;
  page.help.hidden = next.watching !== undefined;
  showWatching(next);
  showLog(next);
  page.words.value = '';
  showActions();
  showNews(next);
  // on a phone the keyboard would cover the game
  const types = !page.say.hidden && document.activeElement !== page.seed && !matchMedia('(pointer: coarse)').matches;
  if (types) page.words.focus({ preventScroll: true });
}

/** @param {PlayView} view */
function showScore({ title, step, limit, reward, return: sum, seed }) {
  page.env.textContent = title;
  page.step.textContent = limit ? `${step} of ${limit}` : String(step);
  page.reward.textContent = number(reward);
  page.reward.className = !reward ? '' : reward > 0 ? 'good' : 'bad';
  page.return.textContent = number(sum);
  if (document.activeElement !== page.seed) page.seed.value = String(seed);
}

/** @param {PlayView} view */
function showGuide({ guide, task, step }) {
  page.guide.hidden = guide === undefined;
  // a phone has no room for it once the game is under way; it can be opened again
  if (step === 1 && matchMedia('(max-width: 840px)').matches) page.guide.open = false;
  page.goal.textContent = guide?.goal ?? '';
  // a task often begins with the goal, and goes on with what differs between episodes
  page.goal.hidden = guide === undefined || (task ?? '').startsWith(guide.goal.replace(/\.$/, ''));
  page.rules.textContent = guide?.rules ?? '';
  page.costs.textContent = guide?.score ?? '';
}

/** @param {PlayView} view */
function showVerdict({ verdict, ending, outcome, parts, reward, watching }) {
  const shown = verdict !== undefined || reward ? parts : [];
  page.verdict.hidden = verdict === undefined && shown.length === 0;
  page.verdict.className = outcome ?? '';
  page.verdictTitle.textContent = verdict ?? (shown.length > 0 ? 'Reward' : '');
  page.ending.textContent = ending ?? '';
  page.after.hidden = verdict === undefined || watching?.episodes !== undefined;
  page.verdictParts.replaceChildren(
    ...shown.map(([name, value]) => {
      const row = element('div');
      row.append(element('dt', name), element('dd', value));
      return row;
    }),
  );
}

/**
 * Says what is to be seen now to people who do not see it: the picture's label, and what has changed since the last step.
 *
 * @param {PageScene} scene
 */
function showNews({ state, text, step, limit, reward, return: sum, verdict, past }) {
  const words = (state ?? text ?? '').trim();
  page.eyeCanvas.setAttribute('aria-label', words || 'what the agent sees');
  const done = past.at(-1);
  const taken = done ? `${done.action}. Reward ${number(reward)}, score ${number(sum)}. ` : '';
  // the verdict is announced by its own region
  page.news.textContent =
    verdict === undefined ? `${taken}Step ${step}${limit ? ` of ${limit}` : ''}. ${words}` : words;
}
