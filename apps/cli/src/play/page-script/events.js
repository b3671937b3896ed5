/** Event handlers for the person's input, and the start of the page. */

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
page.undo.addEventListener('click', takeBack);
page.anyway.addEventListener('click', () => {
  if (scene?.refused !== undefined) move(scene.refused, true);
});
page.goOn.addEventListener('click', () => page.next.click());
page.repeat.addEventListener('click', () => {
  if (!busy && scene) void load('restart', { seed: scene.seed });
});
page.play.addEventListener('click', togglePlaying);
page.one.addEventListener('click', () => oneStep('next'));
page.back.addEventListener('click', () => oneStep('back'));
page.episodes.addEventListener('change', () => {
  pause();
  if (!busy) void load('restart', { seed: page.episodes.selectedIndex });
});

addEventListener('keydown', (event) => {
  const target = /** @type {Element} */ (event.target);
  if (!scene || event.ctrlKey || event.metaKey || event.altKey || target.matches('input, select, ol, pre')) return;
  const name = event.key === ' ' ? 'space' : event.key.toLowerCase().replace(/^arrow/, '');
  if (scene.watching && ['left', 'right', 'space'].includes(name)) {
    if (target.matches('button')) return;
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
  if (name === 'backspace') takeBack();
  if (name === 'enter' && scene.verdict !== undefined && !target.matches('button')) page.next.click();
  const action = scene.actions.find(({ keys }) => keys?.includes(name));
  if (!action || (name === 'space' && target.matches('button'))) return;
  event.preventDefault();
  move(action.text);
});

function showGone() {
  page.gone.hidden = false;
  document.body.classList.add('over');
}

// This response ends when vlgym does.
ask('open')
  .then((response) => response.body?.getReader().read())
  .then(showGone, showGone);
void load('state');
