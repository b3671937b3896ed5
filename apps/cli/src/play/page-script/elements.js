/** Elements of the page, by name, and new ones. */

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
  ending: find('#ending', HTMLElement),
  after: find('#after', HTMLElement),
  goOn: find('#go-on', HTMLButtonElement),
  repeat: find('#repeat', HTMLButtonElement),
  guide: find('#guide', HTMLDetailsElement),
  goal: find('#goal', HTMLElement),
  rules: find('#rules', HTMLElement),
  costs: find('#costs', HTMLElement),
  news: find('#news', HTMLElement),
  eye: find('#eye', HTMLElement),
  eyeCanvas: find('#eye canvas', HTMLCanvasElement),
  more: find('#more', HTMLElement),
  site: find('#site', HTMLIFrameElement),
  talk: find('#talk', HTMLElement),
  say: find('#say', HTMLFormElement),
  words: find('#words', HTMLInputElement),
  note: find('#note', HTMLElement),
  anyway: find('#anyway', HTMLButtonElement),
  undo: find('#undo', HTMLButtonElement),
  pad: find('#pad', HTMLElement),
  actions: find('#actions', HTMLElement),
  help: find('#help', HTMLElement),
  hint: find('#hint', HTMLButtonElement),
  advice: find('#advice', HTMLElement),
  prompt: find('#prompt', HTMLElement),
  id: find('#id', HTMLElement),
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
