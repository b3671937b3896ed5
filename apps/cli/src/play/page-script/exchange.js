/** State of the page, and its requests to vlgym: it requests scenes, one at a time. */

/** @typedef {import('../page-scene.js').ActionChoice} ActionChoice */
/** @typedef {import('../page-scene.js').PictureShape} PictureShape */
/** @typedef {import('../page-scene.js').PlayView} PlayView */
/** @typedef {import('../page-scene.js').SceneMessage} SceneMessage */
/** @typedef {PictureShape & { readonly data: Uint8Array }} Picture */
/** @typedef {Omit<SceneMessage, 'pictures'> & { readonly pictures: readonly Picture[] }} PageScene */

/** @type {PageScene | undefined} */
let scene;
let busy = false;
/** One move made while the last is under way. @type {string | undefined} */
let waiting;

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

/**
 * @param {string} text
 * @param {boolean} [anyway]  Also if it would change nothing.
 */
function move(text, anyway) {
  if (!scene || (scene.verdict !== undefined && text !== 'back')) return;
  if (busy) {
    waiting = text;
    return;
  }
  void load('move', { turn: scene.turn, text, ...(anyway && { anyway }) });
}

function takeBack() {
  if (!busy && scene?.undo) void load('undo', { turn: scene.turn });
}
