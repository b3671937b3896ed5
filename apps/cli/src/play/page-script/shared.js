/**
 * The elements of the page and what its parts share. Nothing here depends on an environment.
 *
 * `page.ts` joins the files of this folder into one script and puts it into the page, so they are JavaScript, share their
 * names, and import nothing at run time. TypeScript checks them with `tsconfig.page.json`.
 */

/** @typedef {import('../page-scene.js').ActionChoice} ActionChoice */
/** @typedef {import('../page-scene.js').PictureShape} PictureShape */
/** @typedef {import('../page-scene.js').PlayView} PlayView */
/** @typedef {import('../page-scene.js').SceneMessage} SceneMessage */
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
