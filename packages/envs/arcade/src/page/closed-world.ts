/**
 * Script of the page: chance from the seed, and no way out. What would give another result on another day is absent or
 * fixed. The network is closed elsewhere too; here its functions fail in the same way every time.
 *
 * `Math.random` is xoshiro128** (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021), seeded by
 * SplitMix32, with 53 bits a number.
 */
export const CLOSED_WORLD = `((seed) => {
  const define = (object, name, value) =>
    Reflect.defineProperty(object, name, { value, configurable: true, writable: true, enumerable: false });
  let mixed = seed >>> 0;
  const split = () => {
    mixed = (mixed + 0x9e3779b9) >>> 0;
    let word = mixed;
    word = Math.imul(word ^ (word >>> 16), 0x21f0aaad);
    word = Math.imul(word ^ (word >>> 15), 0x735a2d97);
    return (word ^ (word >>> 15)) >>> 0;
  };
  const state = [split(), split(), split(), split()];
  const rotate = (word, by) => ((word << by) | (word >>> (32 - by))) >>> 0;
  const next = () => {
    const result = Math.imul(rotate(Math.imul(state[1], 5) >>> 0, 7), 9) >>> 0;
    const shifted = (state[1] << 9) >>> 0;
    state[2] = (state[2] ^ state[0]) >>> 0;
    state[3] = (state[3] ^ state[1]) >>> 0;
    state[1] = (state[1] ^ state[2]) >>> 0;
    state[0] = (state[0] ^ state[3]) >>> 0;
    state[2] = (state[2] ^ shifted) >>> 0;
    state[3] = rotate(state[3], 11);
    return result;
  };
  define(Math, 'random', () => ((next() >>> 5) * 67108864 + (next() >>> 6)) / 9007199254740992);
  define(Crypto.prototype, 'getRandomValues', (array) => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let i = 0; i < bytes.length; i++) bytes[i] = next() >>> 24;
    return array;
  });
  define(Crypto.prototype, 'randomUUID', () => {
    const digit = (i) => (i === 12 ? '4' : i === 16 ? '89ab'[next() >>> 30] : '0123456789abcdef'[next() >>> 28]);
    const digits = Array.from({ length: 32 }, (_, i) => digit(i)).join('');
    return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join('-');
  });

  const absent = [
    'Worker', 'SharedWorker', 'WebSocket', 'WebSocketStream', 'WebTransport', 'EventSource', 'XMLHttpRequest',
    'RTCPeerConnection', 'webkitRTCPeerConnection', 'BroadcastChannel', 'indexedDB', 'caches', 'cookieStore',
    'AudioContext', 'webkitAudioContext', 'OfflineAudioContext', 'PerformanceObserver', 'ReportingObserver',
    'WeakRef', 'FinalizationRegistry', 'Temporal', 'scheduler', 'Scheduler', 'navigation', 'documentPictureInPicture',
    'SharedArrayBuffer', 'showOpenFilePicker', 'showSaveFilePicker', 'showDirectoryPicker', 'chrome',
  ];
  for (const name of absent) define(globalThis, name, undefined);
  globalThis.name = ''; // a window keeps it from page to page
  define(globalThis, 'open', () => null);
  for (const name of ['alert', 'print']) define(globalThis, name, () => undefined);
  define(globalThis, 'confirm', () => false);
  define(globalThis, 'prompt', () => null);
  define(Element.prototype, 'animate', undefined);
  const fixed = { hardwareConcurrency: 2, deviceMemory: 4, language: 'en-US', languages: ['en-US'], onLine: false };
  for (const [name, value] of Object.entries(fixed)) Reflect.defineProperty(Navigator.prototype, name, { get: () => value });
  for (const name of ['sendBeacon', 'serviceWorker', 'storage', 'mediaDevices', 'geolocation', 'getBattery', 'connection', 'gpu', 'locks'])
    define(Navigator.prototype, name, undefined);

  // Scores that games keep between visits begin empty in every episode.
  const storage = () => {
    const kept = new Map();
    return {
      getItem: (key) => kept.get(String(key)) ?? null,
      setItem: (key, value) => void kept.set(String(key), String(value)),
      removeItem: (key) => void kept.delete(String(key)),
      clear: () => kept.clear(),
      key: (index) => [...kept.keys()][index] ?? null,
      get length() {
        return kept.size;
      },
    };
  };
  define(globalThis, 'localStorage', storage());
  define(globalThis, 'sessionStorage', storage());
  Reflect.defineProperty(Document.prototype, 'cookie', { get: () => '', set: () => undefined });
})`;
