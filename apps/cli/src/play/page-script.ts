/**
 * The page's script. It asks for scenes, draws pictures into canvases, and writes whatever an environment says as text.
 *
 * The one thing that is markup is the page of a shop: it stands in a sandboxed frame where no script runs, and what is
 * clicked there becomes an action.
 */
export const SCRIPT = `
const $ = (id) => document.getElementById(id);
const nonce = document.documentElement.dataset.nonce;
let scene;
let busy = false;
let waiting; // one move made while the last is under way

async function ask(route, data) {
  const response = await fetch(route, data === undefined ? {} : {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(data),
  });
  if (!response.ok) throw new Error(await response.text());
  return response;
}

async function load(route, data) {
  busy = true;
  document.body.classList.add('busy');
  try {
    const buffer = await (await ask(route, data)).arrayBuffer();
    const length = new DataView(buffer).getUint32(0, true);
    const next = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
    let at = 4 + length;
    for (const picture of next.pictures) {
      picture.data = new Uint8Array(buffer, at, picture.height * picture.width * picture.channels);
      at += picture.data.length;
    }
    show(next);
  } catch (error) {
    note(error instanceof TypeError ? '' : error.message);
  } finally {
    busy = false;
    document.body.classList.remove('busy');
  }
  const text = waiting;
  waiting = undefined;
  if (text !== undefined) move(text);
}

function move(text) {
  if (!scene || scene.verdict !== undefined) return;
  if (busy) { waiting = text; return; }
  return load('move', { turn: scene.turn, text });
}

function element(tag, text, kind) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

const number = (value) => value === undefined ? '–' : String(Number(value.toFixed(3)));

function note(text) {
  $('note').textContent = text ?? '';
  $('note').hidden = !text;
}

function show(next) {
  const fresh = scene?.turn !== next.turn;
  scene = next;
  note(next.note ?? next.reason);
  if (!fresh) return;
  document.title = next.env + ' · vlgym play';
  document.body.dataset.turn = next.turn;
  $('env').textContent = next.env;
  $('step').textContent = next.step + (next.limit ? ' of ' + next.limit : '');
  $('reward').textContent = number(next.reward);
  $('reward').className = next.reward > 0 ? 'good' : next.reward < 0 ? 'bad' : '';
  $('return').textContent = number(next.return);
  if (document.activeElement !== $('seed')) $('seed').value = next.seed;
  $('task').textContent = next.task ?? '';
  $('task').hidden = !next.task;
  $('advice').textContent = '';
  $('prompt').textContent = next.prompt ?? 'nothing';
  $('info').textContent = next.info;
  showVerdict(next);
  showPictures(next);
  showSite(next.html);
  showTalk(next);
  $('say').hidden = !next.free || next.html !== undefined || next.verdict !== undefined;
  $('help').hidden = next.verdict !== undefined;
  $('words').value = '';
  showActions();
  if (!$('say').hidden && document.activeElement !== $('seed')) $('words').focus();
}

function showVerdict({ verdict, parts, reward }) {
  const box = $('verdict');
  const shown = verdict !== undefined || reward ? parts : [];
  box.hidden = verdict === undefined && shown.length === 0;
  box.firstElementChild.textContent = verdict ?? (shown.length > 0 ? 'Reward' : '');
  box.lastElementChild.replaceChildren(...shown.map(([name, value]) => {
    const row = element('div');
    row.append(element('dt', name), element('dd', value));
    return row;
  }));
}

function paint(canvas, { data, height, width, channels }) {
  canvas.width = width;
  canvas.height = height;
  canvas.classList.toggle('small', width < 320);
  const image = new ImageData(width, height);
  const rgba = image.data;
  for (let from = 0, to = 0; to < rgba.length; from += channels, to += 4) {
    rgba[to] = data[from];
    rgba[to + 1] = data[channels === 1 ? from : from + 1];
    rgba[to + 2] = data[channels === 1 ? from : from + 2];
    rgba[to + 3] = channels === 4 ? data[from + 3] : 255;
  }
  canvas.getContext('2d').putImageData(image, 0, 0);
}

function showPictures({ pictures, captions }) {
  $('eye').hidden = pictures.length === 0;
  if (pictures.length > 0) paint($('eye').firstElementChild, pictures[0]);
  const others = pictures.slice(1);
  while ($('more').childElementCount > others.length) $('more').lastElementChild.remove();
  others.forEach((picture, index) => {
    let figure = $('more').children[index];
    if (!figure) {
      figure = element('figure');
      figure.append(element('canvas'), element('figcaption'));
      $('more').append(figure);
    }
    paint(figure.firstElementChild, picture);
    figure.dataset.caption = figure.lastElementChild.textContent = captions[index + 1];
  });
}

function showTalk({ html, text, past, pictures }) {
  const talk = $('talk');
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

// the shop: no script of it runs; what is clicked in it is said as an action
function showSite(html) {
  const frame = $('site');
  frame.hidden = html === undefined;
  if (html === undefined) return;
  frame.onload = () => {
    const { documentElement: root, body } = frame.contentDocument;
    frame.style.height = Math.max(240, body.offsetHeight + 2) + 'px';
    root.addEventListener('click', (event) => {
      const link = event.target.closest('a');
      if (!link) return;
      event.preventDefault();
      if (link.dataset.asin) move('click[' + link.dataset.asin.toLowerCase() + ']');
    });
    root.addEventListener('change', ({ target }) => {
      if (target.type === 'radio') move('click[' + target.value.toLowerCase() + ']');
    });
    root.addEventListener('submit', (event) => {
      event.preventDefault();
      const words = event.target.querySelector('input[type=text]');
      if (!words) move('click[' + event.submitter.textContent.toLowerCase() + ']');
      else if (words.value.trim() !== '') move('search[' + words.value.trim() + ']');
    });
    root.querySelector('input[type=text]')?.focus();
  };
  frame.srcdoc = html.replace('<style>', '<style nonce="' + nonce + '">');
  scrollTo(0, 0);
}

const NAMES = { left: '←', right: '→', up: '↑', down: '↓', space: 'space' };

function fitting() {
  const typed = $('words').value.trim().toLowerCase();
  return scene.actions.filter(({ text }) => scene.html !== undefined || text.toLowerCase().includes(typed));
}

function showActions() {
  $('actions').hidden = scene.html !== undefined;
  $('actions').replaceChildren(...fitting().map(({ text, says, key }) => {
    const button = element('button', text);
    button.type = 'button';
    button.dataset.action = text;
    if (says) button.title = says;
    if (key && key !== text) button.append(element('kbd', NAMES[key] ?? key));
    button.addEventListener('click', () => move(text));
    return button;
  }));
}

$('words').addEventListener('input', showActions);
$('say').addEventListener('submit', (event) => {
  event.preventDefault();
  const typed = $('words').value.trim();
  const found = fitting();
  if (typed !== '') move(found.length === 1 ? found[0].text : typed);
});
$('next').addEventListener('click', () => { if (!busy && scene) load('restart', { seed: scene.seed + 1 }); });
$('again').addEventListener('submit', (event) => {
  event.preventDefault();
  document.activeElement.blur();
  if (!busy) load('restart', { seed: $('seed').valueAsNumber });
});
$('hint').addEventListener('click', hint);

async function hint() {
  if (!scene || scene.verdict !== undefined) return;
  let text;
  try {
    text = (await (await ask('hint', {})).json()).hint;
  } catch (error) {
    return note(error.message);
  }
  if (!text) return $('advice').replaceChildren('the expert sees no way from here');
  const button = element('button', text);
  button.type = 'button';
  button.addEventListener('click', () => move(text));
  $('advice').replaceChildren(button);
}

addEventListener('keydown', (event) => {
  if (!scene || event.ctrlKey || event.metaKey || event.altKey || event.target.matches('input')) return;
  const name = event.key === ' ' ? 'space' : event.key.toLowerCase().replace(/^arrow/, '');
  if (name === '?') { event.preventDefault(); hint(); return; }
  if (name === 'enter' && scene.verdict !== undefined && !event.target.matches('button')) $('next').click();
  const action = scene.actions.find(({ key }) => key === name);
  if (!action || (name === 'space' && event.target.matches('button'))) return;
  event.preventDefault();
  move(action.text);
});

function gone() {
  $('gone').hidden = false;
  document.body.classList.add('over');
}

// an answer that ends when vlgym does
ask('open').then((response) => response.body.getReader().read()).then(gone, gone);
load('state');
`;
