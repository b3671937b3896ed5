/**
 * The script of the play page. It asks for scenes, draws pictures on canvases, and writes whatever an environment says
 * as text.
 *
 * The only markup is the page of a shop. It is shown in a sandboxed frame where no script runs, and a click in it
 * becomes an action.
 *
 * `page.ts` puts this file into the page unchanged, so it is JavaScript and imports nothing at run time. TypeScript
 * checks it with `tsconfig.page.json`.
 */

/** @import { ActionChoice, PictureShape, PlayView, SceneMessage } from './page-scene.js' */

/** @typedef {PictureShape & { readonly data: Uint8Array }} Picture */
/** @typedef {Omit<SceneMessage, 'pictures'> & { readonly pictures: readonly Picture[] }} PageScene */

/**
 * @template {Element} E
 * @param {string} selector
 * @param {new () => E} type
 * @param {ParentNode} [parent]
 * @returns {E}
 */
function find(selector, type, parent = document) {
  const found = parent.querySelector(selector);
  if (!(found instanceof type)) throw new Error(`The page lacks ${selector}.`);
  return found;
}

const page = {
  env: find('#env', HTMLElement),
  step: find('#step', HTMLElement),
  reward: find('#reward', HTMLElement),
  return: find('#return', HTMLElement),
  again: find('#again', HTMLFormElement),
  seed: find('#seed', HTMLInputElement),
  next: find('#next', HTMLButtonElement),
  task: find('#task', HTMLElement),
  verdict: find('#verdict', HTMLElement),
  verdictTitle: find('#verdict strong', HTMLElement),
  verdictParts: find('#verdict dl', HTMLElement),
  eye: find('#eye', HTMLElement),
  eyeCanvas: find('#eye canvas', HTMLCanvasElement),
  more: find('#more', HTMLElement),
  site: find('#site', HTMLIFrameElement),
  talk: find('#talk', HTMLElement),
  say: find('#say', HTMLFormElement),
  words: find('#words', HTMLInputElement),
  note: find('#note', HTMLElement),
  actions: find('#actions', HTMLElement),
  help: find('#help', HTMLElement),
  hint: find('#hint', HTMLButtonElement),
  advice: find('#advice', HTMLElement),
  prompt: find('#prompt', HTMLElement),
  info: find('#info', HTMLElement),
  gone: find('#gone', HTMLElement),
  watch: find('#watch', HTMLElement),
  who: find('#who', HTMLElement),
  back: find('#back', HTMLButtonElement),
  play: find('#play', HTMLButtonElement),
  one: find('#one', HTMLButtonElement),
  speed: find('#speed', HTMLInputElement),
  pick: find('#pick', HTMLElement),
  episodes: find('#episodes', HTMLSelectElement),
  log: find('#log', HTMLElement),
  logLines: find('#log ol', HTMLElement),
};

const { nonce } = document.documentElement.dataset;
/** @type {PageScene | undefined} */
let scene;
let busy = false;
/** One move made while the last is under way. @type {string | undefined} */
let waiting;
/** Steps follow each other without a click. */
let playing = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/**
 * @param {string} route
 * @param {object} [data]
 */
async function ask(route, data) {
  const body = JSON.stringify(data);
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  const response = await fetch(route, data === undefined ? {} : post);
  if (!response.ok) throw new Error(await response.text());
  return response;
}

/**
 * @param {string} route
 * @param {object} [data]
 */
async function load(route, data) {
  busy = true;
  document.body.classList.add('busy');
  try {
    const response = await ask(route, data);
    show(sceneFrom(await response.arrayBuffer()));
  } catch (error) {
    // fetch throws a TypeError when the server is gone, which the page says elsewhere
    note(error instanceof TypeError ? '' : messageOf(error));
  } finally {
    busy = false;
    document.body.classList.remove('busy');
  }
  const text = waiting;
  waiting = undefined;
  if (text !== undefined) move(text);
}

/**
 * Length of the JSON (4 bytes, little-endian), the JSON, then the bytes of the pictures.
 *
 * @param {ArrayBuffer} buffer
 * @returns {PageScene}
 */
function sceneFrom(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  /** @type {SceneMessage} */
  const message = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  let offset = 4 + length;
  const pictures = message.pictures.map((shape) => {
    const data = new Uint8Array(buffer, offset, shape.height * shape.width * shape.channels);
    offset += data.length;
    return { ...shape, data };
  });
  return { ...message, pictures };
}

/** @param {string} text */
function move(text) {
  if (!scene || (scene.verdict !== undefined && text !== 'back')) return;
  if (busy) {
    waiting = text;
    return;
  }
  void load('move', { turn: scene.turn, text });
}

/**
 * @param {string} tag
 * @param {string} [text]
 * @param {string} [className]
 */
function element(tag, text, className) {
  const created = document.createElement(tag);
  if (text !== undefined) created.textContent = text;
  if (className) created.className = className;
  return created;
}

/**
 * @param {string} text
 * @param {() => void} onClick
 */
function createButton(text, onClick) {
  const button = document.createElement('button');
  button.textContent = text;
  button.type = 'button';
  button.addEventListener('click', onClick);
  return button;
}

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

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Picture} picture
 */
function paint(canvas, { data, height, width, channels }) {
  canvas.width = width;
  canvas.height = height;
  canvas.classList.toggle('small', width < 320);
  const image = new ImageData(width, height);
  const rgba = image.data;
  const [green, blue] = channels === 1 ? [0, 0] : [1, 2];
  for (let from = 0, to = 0; to < rgba.length; from += channels, to += 4) {
    rgba[to] = data[from] ?? 0;
    rgba[to + 1] = data[from + green] ?? 0;
    rgba[to + 2] = data[from + blue] ?? 0;
    rgba[to + 3] = channels === 4 ? (data[from + 3] ?? 0) : 255;
  }
  canvas.getContext('2d')?.putImageData(image, 0, 0);
}

/**
 * An arrow where the agent stands, large enough to be found at a glance.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {NonNullable<PlayView['marker']>} marker
 */
function drawMarker(canvas, { x, y, direction }) {
  const pen = canvas.getContext('2d');
  if (!pen) return;
  pen.translate(x, y);
  pen.rotate(-direction);
  pen.beginPath();
  for (const [right, down] of [[15, 0], [-9, 10], [-4, 0], [-9, -10]]) pen.lineTo(right ?? 0, down ?? 0); // biome-ignore format: corners
  pen.closePath();
  pen.lineWidth = 5;
  pen.strokeStyle = '#ffffff';
  pen.stroke();
  pen.fillStyle = '#1d4ed8';
  pen.fill();
}

/** @param {PageScene} scene */
function showPictures({ pictures: [first, ...others], captions, marker }) {
  page.eye.hidden = first === undefined;
  if (first) paint(page.eyeCanvas, first);
  while (page.more.childElementCount > others.length) page.more.lastElementChild?.remove();
  for (const [index, picture] of others.entries()) {
    let figure = page.more.children[index];
    if (!figure) {
      figure = element('figure');
      figure.append(element('canvas'), element('figcaption'));
      page.more.append(figure);
    }
    const caption = captions[index + 1] ?? '';
    const canvas = find('canvas', HTMLCanvasElement, figure);
    paint(canvas, picture);
    if (marker && caption === 'map') drawMarker(canvas, marker);
    find('figcaption', HTMLElement, figure).textContent = caption;
    figure.setAttribute('data-caption', caption);
  }
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
  talk.scrollTop = talk.scrollHeight;
}

/**
 * The shop: none of its scripts run, and a click in it is sent as an action.
 *
 * @param {string | undefined} html
 */
function showSite(html) {
  const { site } = page;
  site.hidden = html === undefined;
  if (html === undefined) return;
  site.onload = () => {
    if (site.contentDocument) connectSite(site.contentDocument);
  };
  site.srcdoc = html.replace('<style>', `<style nonce="${nonce}">`);
  scrollTo(0, 0);
}

/**
 * The classes of its elements belong to the frame's own window, so `instanceof` does not know them here.
 *
 * @param {Document} site
 */
function connectSite({ documentElement: root, body }) {
  page.site.style.height = `${Math.max(240, body.offsetHeight + 2)}px`;
  root.addEventListener('click', (event) => {
    const link = /** @type {Element} */ (event.target).closest('a');
    if (!link) return;
    event.preventDefault();
    if (link.dataset.asin) move(`click[${link.dataset.asin.toLowerCase()}]`);
  });
  root.addEventListener('change', ({ target }) => {
    const input = /** @type {HTMLInputElement} */ (target);
    if (input.type === 'radio') move(`click[${input.value.toLowerCase()}]`);
  });
  root.addEventListener('submit', (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    /** @type {HTMLInputElement | null} */
    const words = form.querySelector('input[type=text]');
    if (!words) move(`click[${event.submitter?.textContent?.toLowerCase()}]`);
    else if (words.value.trim() !== '') move(`search[${words.value.trim()}]`);
  });
  /** @type {HTMLInputElement | null} */
  const search = root.querySelector('input[type=text]');
  search?.focus();
}

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
page.play.addEventListener('click', togglePlaying);
page.one.addEventListener('click', () => oneStep('next'));
page.back.addEventListener('click', () => oneStep('back'));
page.episodes.addEventListener('change', () => {
  pause();
  if (!busy) void load('restart', { seed: page.episodes.selectedIndex });
});

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

function showGone() {
  page.gone.hidden = false;
  document.body.classList.add('over');
}

// This response ends when vlgym does.
ask('open')
  .then((response) => response.body?.getReader().read())
  .then(showGone, showGone);
void load('state');
