/**
 * Script of the page: what this process holds of it. The object is reached through DevTools alone; the page has no name
 * for it.
 *
 * Inputs are events as a keyboard and a mouse make them, dispatched between frames, so that they arrive at exact times.
 */
import { CLOSED_WORLD } from './closed-world.js';
import { VIRTUAL_TIME } from './virtual-time.js';

export interface PageConfig {
  /** Expressions of the page's global scope; `undefined` results count as absent. */
  readonly score: string;
  readonly over: string;
  readonly won: string;
  readonly expert: string;
  readonly state: string;
  /** CSS selector. */
  readonly canvas: string;
  readonly width: number;
  readonly height: number;
}

/** One action as the page gets it. */
export interface PageInput {
  /** `KeyboardEvent.key` values, held from the first to the last frame of the step. */
  readonly keys: readonly string[];
  /** CSS pixels from the top left of the canvas. */
  readonly pointer: readonly [x: number, y: number] | null;
  readonly press: boolean;
}

/** Source of a function `(seed, config) => controller`. */
export const CONTROLLER = `((seed, config) => {
  const clock = ${VIRTUAL_TIME};
  ${CLOSED_WORLD}(seed);
  const compile = Function;
  const { getContext } = HTMLCanvasElement.prototype;
  const apply = Reflect.apply;
  // Canvases are drawn by the processor, and keep what was drawn until it is read.
  HTMLCanvasElement.prototype.getContext = function (kind, options) {
    const forced = kind === '2d' ? { willReadFrequently: true } : { preserveDrawingBuffer: true, antialias: false };
    return apply(getContext, this, [kind, { ...options, ...forced }]);
  };
  const copy = document.createElement('canvas');
  copy.width = config.width;
  copy.height = config.height;
  const picture = apply(getContext, copy, ['2d', { willReadFrequently: true, alpha: false }]);
  const { drawImage, getImageData, fillRect } = CanvasRenderingContext2D.prototype;
  const query = Document.prototype.querySelector;
  const toText = String.fromCharCode;
  const encode = btoa;
  const json = JSON.stringify;
  const dispatch = EventTarget.prototype.dispatchEvent;
  const KeyEvent = KeyboardEvent;
  const MouseClick = PointerEvent;
  const errors = [];
  let probes = {};
  let held = [];

  const CODES = { ' ': ['Space', 32], ArrowLeft: [0, 37], ArrowUp: [0, 38], ArrowRight: [0, 39], ArrowDown: [0, 40], Enter: [0, 13], Escape: [0, 27], Tab: [0, 9], Backspace: [0, 8], Shift: ['ShiftLeft', 16], Control: ['ControlLeft', 17] };
  const keyEvent = (type, key, repeat) => {
    const upper = key.toUpperCase();
    const isLetter = key.length === 1 && upper >= 'A' && upper <= 'Z';
    const isDigit = key.length === 1 && key >= '0' && key <= '9';
    const [code, number] = CODES[key] ?? [isLetter ? 'Key' + upper : isDigit ? 'Digit' + key : key, upper.charCodeAt(0)];
    const target = document.activeElement ?? document.body ?? document;
    const init = { key, code: code || key, keyCode: number, which: number, bubbles: true, cancelable: true, composed: true, repeat };
    apply(dispatch, target, [new KeyEvent(type, init)]);
  };
  const mouse = (kinds, x, y, buttons) => {
    const box = canvas().getBoundingClientRect();
    const [clientX, clientY] = [box.left + x, box.top + y];
    const target = document.elementFromPoint(clientX, clientY) ?? document.body;
    for (const kind of kinds) {
      const init = { clientX, clientY, screenX: clientX, screenY: clientY, button: 0, buttons, bubbles: true, cancelable: true, composed: true, view: window, pointerId: 1, pointerType: 'mouse', isPrimary: true, detail: kind.includes('move') ? 0 : 1 };
      apply(dispatch, target, [new MouseClick(kind, init)]);
    }
  };
  const canvas = () => {
    const found = apply(query, document, [config.canvas]);
    if (!(found instanceof HTMLCanvasElement)) throw new TypeError('no canvas');
    return found;
  };
  const value = (name) => {
    try {
      return probes[name]?.();
    } catch (error) {
      return { failed: String(error).slice(0, 300) };
    }
  };
  const pixels = () => {
    apply(fillRect, picture, [0, 0, config.width, config.height]);
    apply(drawImage, picture, [canvas(), 0, 0, config.width, config.height]);
    const { data } = apply(getImageData, picture, [0, 0, config.width, config.height]);
    const count = config.width * config.height;
    let text = '';
    const part = new Uint8Array(3 * 4096);
    for (let from = 0; from < count; from += 4096) {
      const to = Math.min(count, from + 4096);
      for (let i = from; i < to; i++) {
        part[3 * (i - from)] = data[4 * i];
        part[3 * (i - from) + 1] = data[4 * i + 1];
        part[3 * (i - from) + 2] = data[4 * i + 2];
      }
      text += encode(apply(toText, null, part.subarray(0, 3 * (to - from))));
    }
    return text;
  };
  const look = () => {
    const { width, height } = canvas();
    return json({
      ...{ score: value('score'), over: Boolean(value('over')), won: value('won'), expert: value('expert'), state: value('state') },
      ...{ time: clock.time(), canvas: [width, height], errors, pixels: pixels() },
    });
  };
  const frames = async (count, until) => {
    for (let i = 0; i < count; i++) {
      await clock.advance();
      if (value('over')) return;
    }
  };

  const play = async ({ keys, pointer, press }, count) => {
    for (const key of held) if (!keys.includes(key)) keyEvent('keyup', key, false);
    for (const key of keys) keyEvent('keydown', key, held.includes(key));
    held = keys;
    if (pointer) mouse(['pointermove', 'mousemove'], ...pointer, 0);
    if (pointer && press) mouse(['pointerdown', 'mousedown'], ...pointer, 1);
    await clock.settle();
    await frames(1);
    if (pointer && press) {
      mouse(['pointerup', 'mouseup', 'click'], ...pointer, 0);
      await clock.settle();
    }
    if (!value('over')) await frames(count - 1);
  };

  return {
    /** Parses the game, waits until everything in it is loaded, and shows its first frame. */
    async load(html) {
      document.open(); // removes all listeners
      addEventListener('error', (event) => {
        if (errors.length < 5) errors.push(String(event.message).slice(0, 300));
      });
      const loaded = new Promise((done) => addEventListener('load', done, { once: true }));
      document.write(html);
      document.close();
      await loaded;
      // animations of style sheets follow the real clock
      const still = document.createElement('style');
      still.textContent = '*, *::before, *::after { animation: none !important; transition: none !important; }';
      document.head.append(still);
      await document.fonts.ready;
      await clock.ready();
      for (const name of ['score', 'over', 'won', 'expert', 'state'])
        if (config[name] !== '') probes[name] = compile('return (' + config[name] + '\\n)');
      await frames(1);
      return look();
    },
    async step(input, count) {
      await play(input, count);
      return look();
    },
    /** The same without a look between, to reach the place of a snapshot. */
    async replay(inputs, count) {
      for (const input of inputs) await play(input, count);
      return look();
    },
  };
})`;
