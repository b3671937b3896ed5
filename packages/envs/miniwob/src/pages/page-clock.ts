/**
 * Script at the start of each page: a clock that stands between actions, fixed chance while the page loads, and how an
 * episode begins and what it has come to. The steps of a beginning are those of `miniwob/selenium_instance.py`.
 *
 * Timers and animation frames run in the order of their times, by a clock that begins at 2026-01-01T00:00:00Z. An action
 * lasts `ACTION_TIME`, `noop(ms)` its own milliseconds. A frame is a 60th of a second; a delay is at least 1 ms.
 *
 * A string, because it runs in the page and this package has no DOM types.
 */

/** Name of the page's function that `SiteEnv` calls after each action. */
export const CLOCK = 'vlgymClock';
/** Milliseconds of an action; BrowserGym's MiniWoB slows its inputs down by as much. */
const ACTION_TIME = 100;

export const PAGE_CLOCK = `(() => {
  const EPOCH = 1767225600000;
  const define = (object, name, value) =>
    Reflect.defineProperty(object, name, { value, configurable: true, writable: true, enumerable: false });
  let now = 0;
  let nextId = 1;
  const timers = new Map();
  const call = (callback, args) => {
    try {
      if (typeof callback === 'function') Reflect.apply(callback, window, args);
      else (0, eval)(String(callback));
    } catch (error) {
      reportError(error);
    }
  };
  const schedule = (callback, delay, args, every) => {
    const wait = Math.max(1, Number(delay) || 0);
    const id = nextId++;
    timers.set(id, { id, at: now + wait, wait, callback, args, every });
    return id;
  };
  const cancel = (id) => void timers.delete(Number(id));
  define(window, 'setTimeout', (callback, delay, ...args) => schedule(callback, delay, args, false));
  define(window, 'setInterval', (callback, delay, ...args) => schedule(callback, delay, args, true));
  const frame = (callback) => {
    const end = (Math.floor((now * 60) / 1000 + 1e-6) + 1) * (1000 / 60);
    const id = schedule(() => callback(now), 0, [], false);
    timers.get(id).at = end;
    return id;
  };
  for (const name of ['requestAnimationFrame', 'webkitRequestAnimationFrame']) define(window, name, frame);
  for (const name of ['clearTimeout', 'clearInterval', 'cancelAnimationFrame', 'webkitCancelAnimationFrame'])
    define(window, name, cancel);
  const RealDate = Date;
  const today = () => EPOCH + Math.floor(now);
  const PageDate = function Date(...args) {
    if (new.target) return Reflect.construct(RealDate, args.length === 0 ? [today()] : args, new.target);
    return new RealDate(today()).toString();
  };
  Reflect.defineProperty(PageDate, 'prototype', { value: RealDate.prototype, writable: false });
  define(PageDate, 'now', today);
  for (const name of ['parse', 'UTC']) define(PageDate, name, RealDate[name]);
  define(RealDate.prototype, 'constructor', PageDate);
  define(window, 'Date', PageDate);
  define(Performance.prototype, 'now', () => now);
  Reflect.defineProperty(Event.prototype, 'timeStamp', { get: () => now, configurable: true });
  // until the page's own generator is seeded
  let word = 1;
  define(Math, 'random', () => {
    word = (Math.imul(word, 1664525) + 1013904223) >>> 0;
    return word / 4294967296;
  });
  define(Crypto.prototype, 'getRandomValues', (array) => array.fill(0));
  Reflect.defineProperty(navigator, 'language', { get: () => 'en-US' });

  const advance = async (milliseconds) => {
    const end = now + milliseconds;
    for (;;) {
      let due;
      for (const timer of timers.values())
        if (timer.at <= end && (!due || timer.at < due.at || (timer.at === due.at && timer.id < due.id))) due = timer;
      if (!due) break;
      now = Math.max(now, due.at);
      if (due.every) due.at = now + due.wait;
      else timers.delete(due.id);
      call(due.callback, due.args);
      await null;
    }
    now = end;
  };
  // pictures that the page has just asked for
  const drawn = () => Promise.all([...document.images].filter((image) => !image.complete).map((image) => image.decode().catch(() => undefined)));

  // Agents name elements; those that only listen for clicks get a role, which nothing else of the page shows.
  const listeners = new Set();
  const { addEventListener } = EventTarget.prototype;
  const listens = (node) => node instanceof Element && listeners.add(new WeakRef(node));
  define(EventTarget.prototype, 'addEventListener', function (type, ...more) {
    if (type === 'click') listens(this);
    return Reflect.apply(addEventListener, this, [type, ...more]);
  });
  for (const prototype of [HTMLElement.prototype, SVGElement.prototype]) {
    const { get, set } = Reflect.getOwnPropertyDescriptor(prototype, 'onclick');
    const setter = function (value) {
      if (value) listens(this);
      Reflect.apply(set, this, [value]);
    };
    Reflect.defineProperty(prototype, 'onclick', { get, set: setter, configurable: true, enumerable: true });
  }
  const PARTS = 'html, body, #wrap, #area, #query, #click-canvas, #sync-task-cover, [role], a[href], button, input, select, textarea, option, label, summary';
  // a button hides what is in it
  const USABLE = 'a[href], button, input, select, textarea, [role]';
  const named = () => {
    for (const reference of listeners) {
      listeners.delete(reference);
      const node = reference.deref();
      if (!node || node.matches(PARTS) || node.querySelector(USABLE) || node.closest('label, button, a[href]')) continue;
      node.setAttribute('role', 'button');
    }
  };

  let isCounted = true;
  let begun;
  define(window, '${CLOCK}', async (milliseconds) => {
    if (milliseconds !== undefined) await advance(milliseconds);
    else if (!isCounted) await advance(${ACTION_TIME});
    isCounted = milliseconds !== undefined;
    named();
    await drawn();
  });
  define(window, 'vlgymBegin', async (seed, mode, isLimited) => {
    await advance(${ACTION_TIME});
    core.endEpisode(0);
    Math.seedrandom(seed);
    core.setDataMode(mode);
    const limit = core.EPISODE_MAX_TIME;
    if (!isLimited) core.EPISODE_MAX_TIME = 1e9;
    core.startEpisodeReal();
    for (let waited = 0; !WOB_TASK_READY && waited < 1000; waited += 50) await advance(50);
    begun = WOB_EPISODE_ID;
    isCounted = true;
    named();
    await drawn();
    const said = core.getUtterance();
    const isText = typeof said === 'string';
    const utterance = isText ? said : said.utterance;
    return { utterance, fields: isText ? null : Object.entries(said.fields), ready: WOB_TASK_READY, limit };
  });
  define(window, 'vlgymState', () => ({
    begun: begun !== undefined,
    done: WOB_DONE_GLOBAL,
    reward: WOB_REWARD_GLOBAL,
    raw: WOB_RAW_REWARD_GLOBAL,
    reason: WOB_REWARD_REASON === null || WOB_REWARD_REASON === undefined ? '' : String(WOB_REWARD_REASON),
    time: now,
  }));
})();`;

/** Outside of the task's 160 × 210 pixels, or of no meaning to an agent; carets blink, and transitions follow no clock of ours. */
export const PAGE_STYLE =
  '#reward-display{display:none!important}*{caret-color:transparent!important;transition:none!important;animation:none!important}';
