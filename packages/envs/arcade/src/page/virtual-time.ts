/**
 * Script of the page: time that passes only when it is told to.
 *
 * `Date`, `performance`, timers, animation frames, messages and idle callbacks follow one clock, in milliseconds from the
 * start of the episode. Due callbacks run in the order of their times, then in that of their creation. A frame is a 60th of
 * a second. Delays are at least 1 ms, and 4 ms from the fifth nested one, as in HTML's "timer initialization steps". Between
 * two callbacks the page's promises run to their end.
 *
 * A string, because it runs in the page and this package has no DOM types. It returns `{ advance, later, settle }`.
 */
export const VIRTUAL_TIME = `(() => {
  const FRAME = 1000 / 60;
  const EPOCH = 1767225600000; // 2026-01-01T00:00:00Z
  const define = (object, name, value) =>
    Reflect.defineProperty(object, name, { value, configurable: true, writable: true, enumerable: false });
  const getter = (object, name, get) => Reflect.defineProperty(object, name, { get, configurable: true });
  const apply = Reflect.apply;
  const report = reportError;
  const indirectEval = eval;

  let now = 0;
  let frames = 0;
  let nextId = 1;
  let depth = 0;
  const timers = new Map();
  let animations = new Map();
  const waiting = new Set();

  // A task of the real event loop between two callbacks: the page's promises run before it.
  const channel = new MessageChannel();
  const { port1, port2 } = channel;
  const post = MessagePort.prototype.postMessage;
  const PlainPromise = Promise;
  const settle = () =>
    new PlainPromise((done) => {
      port1.onmessage = done;
      apply(post, port2, [0]);
    });

  const call = (callback, args) => {
    try {
      if (typeof callback === 'function') apply(callback, globalThis, args);
      else indirectEval(String(callback));
    } catch (error) {
      report(error);
    }
  };
  const schedule = (callback, delay, args, every) => {
    const least = depth >= 5 ? 4 : 1;
    const wait = Math.max(least, Number(delay) || 0);
    const id = nextId++;
    timers.set(id, { id, at: now + wait, wait, callback, args, every, depth: depth + 1 });
    return id;
  };
  const later = (callback) => schedule(callback, 0, [], false);
  const cancel = (id) => void timers.delete(Number(id));
  define(globalThis, 'setTimeout', (callback, delay, ...args) => schedule(callback, delay, args, false));
  define(globalThis, 'setInterval', (callback, delay, ...args) => schedule(callback, delay, args, true));
  define(globalThis, 'clearTimeout', cancel);
  define(globalThis, 'clearInterval', cancel);
  define(globalThis, 'requestAnimationFrame', (callback) => {
    const id = nextId++;
    animations.set(id, callback);
    return id;
  });
  define(globalThis, 'cancelAnimationFrame', (id) => void animations.delete(Number(id)));
  define(globalThis, 'requestIdleCallback', (callback) =>
    later(() => callback({ didTimeout: false, timeRemaining: () => 5 })));
  define(globalThis, 'cancelIdleCallback', cancel);

  const RealDate = Date;
  const today = () => EPOCH + Math.floor(now);
  const { construct } = Reflect;
  const VirtualDate = function Date(...args) {
    if (new.target) return construct(RealDate, args.length === 0 ? [today()] : args, new.target);
    return new RealDate(today()).toString();
  };
  Reflect.defineProperty(VirtualDate, 'prototype', { value: RealDate.prototype, writable: false });
  define(VirtualDate, 'now', today);
  for (const name of ['parse', 'UTC']) define(VirtualDate, name, RealDate[name]);
  define(RealDate.prototype, 'constructor', VirtualDate);
  define(globalThis, 'Date', VirtualDate);
  getter(Document.prototype, 'lastModified', () => '01/01/2026 00:00:00');
  getter(File.prototype, 'lastModified', () => EPOCH);
  getter(AnimationTimeline.prototype, 'currentTime', () => now);
  define(Performance.prototype, 'now', () => now);
  for (const name of ['mark', 'measure', 'toJSON']) define(Performance.prototype, name, () => undefined);
  getter(Performance.prototype, 'timeOrigin', () => EPOCH);
  for (const name of ['getEntries', 'getEntriesByName', 'getEntriesByType'])
    define(Performance.prototype, name, () => []);
  for (const name of ['memory', 'timing', 'navigation', 'eventCounts', 'interactionCount'])
    Reflect.deleteProperty(Performance.prototype, name);
  getter(Event.prototype, 'timeStamp', () => now);
  const format = Intl.DateTimeFormat.prototype;
  const { formatToParts } = format;
  define(format, 'formatToParts', function (date = today()) {
    return apply(formatToParts, this, [date]);
  });
  const { get: boundFormat } = Reflect.getOwnPropertyDescriptor(format, 'format');
  getter(format, 'format', function () {
    const bound = apply(boundFormat, this, []);
    return (date = today()) => bound(date);
  });

  // Messages are tasks, too.
  class Port extends EventTarget {
    onmessage = null;
    constructor() {
      super();
      this.addEventListener('message', (event) => this.onmessage?.(event));
    }
    postMessage(data) {
      later(() => this.other?.dispatchEvent(new MessageEvent('message', { data })));
    }
    start() {}
    close() {
      this.other = undefined;
    }
  }
  define(globalThis, 'MessageChannel', class {
    port1 = new Port();
    port2 = new Port();
    constructor() {
      this.port1.other = this.port2;
      this.port2.other = this.port1;
    }
  });
  define(globalThis, 'postMessage', (data) =>
    void later(() => dispatchEvent(new MessageEvent('message', { data, source: window, origin: location.origin }))));

  // What the browser decodes in its own time is waited for: the clock stands still meanwhile.
  const awaited = (promise) => {
    const quiet = promise.then(() => undefined, () => undefined).then(() => waiting.delete(quiet));
    waiting.add(quiet);
    return promise;
  };
  const images = Reflect.getOwnPropertyDescriptor(HTMLImageElement.prototype, 'src');
  const { decode } = HTMLImageElement.prototype;
  Reflect.defineProperty(HTMLImageElement.prototype, 'src', {
    ...images,
    set(value) {
      apply(images.set, this, [value]);
      awaited(apply(decode, this, []));
    },
  });
  for (const name of ['createImageBitmap', 'fetch']) {
    const real = globalThis[name];
    define(globalThis, name, (...args) => awaited(apply(real, globalThis, args)));
  }
  const { load } = FontFace.prototype;
  define(FontFace.prototype, 'load', function () {
    return awaited(apply(load, this, []));
  });
  const { toBlob } = HTMLCanvasElement.prototype;
  define(HTMLCanvasElement.prototype, 'toBlob', function (callback, ...args) {
    void awaited(new PlainPromise((done) => apply(toBlob, this, [done, ...args])).then((blob) => void later(() => callback(blob))));
  });

  const ready = async () => {
    while (waiting.size > 0) {
      await PlainPromise.all(waiting);
      await settle();
    }
  };
  const nextDue = (until) => {
    let first;
    for (const timer of timers.values())
      if (timer.at <= until && (!first || timer.at < first.at || (timer.at === first.at && timer.id < first.id))) first = timer;
    return first;
  };
  const run = async (timer) => {
    now = Math.max(now, timer.at);
    depth = timer.depth;
    if (timer.every) {
      timer.at = now + Math.max(timer.depth >= 5 ? 4 : 1, timer.wait);
      timer.depth += 1;
    } else timers.delete(timer.id);
    call(timer.callback, timer.args);
    depth = 0;
    await settle();
    if (waiting.size > 0) await ready();
  };

  /** One frame: timers that are due by its end, then the animation callbacks. */
  const advance = async () => {
    if (waiting.size > 0) await ready();
    frames += 1;
    const end = frames * FRAME;
    for (let timer = nextDue(end); timer; timer = nextDue(end)) await run(timer);
    now = end;
    const due = animations;
    animations = new Map();
    for (const [id, callback] of due) {
      if (!due.has(id)) continue;
      call(callback, [now]);
      await settle();
    }
  };
  return { advance, later, settle, ready, time: () => now };
})()`;
