/** Style and script of the pages, without animation, caret, or external addresses. */

export const STYLE = `
* { box-sizing: border-box; animation: none !important; transition: none !important; caret-color: transparent !important; }
html { scroll-behavior: auto !important; }
body { margin: 0; background: #f6f5f1; color: #222; font: 16px/1.4 'Inter Variable', sans-serif; }
main { max-width: 960px; margin: 0 auto; padding: 16px; }
h1, h2, h3, h4, h5 { margin: 0 0 8px; font-weight: 600; }
h4 { font-size: 17px; } h5 { font-size: 15px; }
#instruction-text { background: #fff; border: 1px solid #ddd; border-radius: 8px; padding: 12px; margin-bottom: 12px; }
#logo { text-align: center; }
form { display: inline-block; margin: 0 8px 12px 0; }
input[type=text] { width: 560px; max-width: 100%; padding: 10px; font: inherit; border: 1px solid #888; border-radius: 6px; }
.btn { padding: 9px 16px; font: inherit; color: #fff; background: #2b5d8a; border: 1px solid #1c4468; border-radius: 6px; cursor: pointer; }
.btn-success { background: #2f7141; border-color: #1f5430; }
.purchase { background: #9a4a12; border-color: #7a380a; font-size: 19px; }
.btn:focus-visible, a:focus-visible, input:focus-visible + label { outline: 3px solid #d08a00; outline-offset: 2px; }
.list-group-item { display: flex; gap: 16px; background: #fff; border: 1px solid #ddd; border-radius: 8px; padding: 12px; margin-bottom: 8px; }
.about { min-width: 0; } .about > * { overflow-wrap: anywhere; }
.result-img { width: 120px; height: 120px; flex: none; object-fit: contain; }
.item-page-img { display: block; width: 240px; height: 240px; margin-bottom: 12px; object-fit: contain; }
.option-group { border: 0; margin: 0 0 8px; padding: 0; }
.radio-toolbar { display: flex; flex-wrap: wrap; gap: 6px; }
.radio-toolbar input { position: absolute; width: 1px; height: 1px; opacity: 0; }
.radio-toolbar label { padding: 6px 12px; background: #fff; border: 1px solid #888; border-radius: 6px; cursor: pointer; white-space: pre-wrap; overflow-wrap: anywhere; }
.radio-toolbar input:checked + label { background: #dbe8f4; border-color: #2b5d8a; font-weight: 600; }
.product-info, .attribute { background: #fff; padding: 8px 12px; margin: 4px 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.details { display: none; }
pre { font: inherit; margin: 0; }
#thankyou, #stats { text-align: center; }
#parts { margin: 16px auto; border-collapse: collapse; background: #fff; }
#parts td, #parts th { padding: 6px 14px; border: 1px solid #ddd; text-align: left; }
main:focus { outline: 0; }
`;

/**
 * Replaces the contents of `<main>` instead of loading a page, which takes many times as long. Addresses, history, and back
 * button work as with full pages. Without script, links and forms load pages; options always need the script, because they
 * are radio buttons. `shopPage.shown()` resolves when the page is settled.
 */
export const SCRIPT = `
(() => {
  const main = document.querySelector('main');
  const places = []; // scroll position of each page of the history
  const closed = new Set(); // pop-ups stay closed until the page is loaded again
  const questions = []; // resolve with the answers
  let at = (history.state && history.state.at) || 0;
  let turn = 0;
  let pending = Promise.resolve();
  history.scrollRestoration = 'manual';

  const request = async (address, sent) => {
    const response = await fetch(address, { ...sent, headers: { 'x-shop-part': 'main' } }).catch(() => undefined);
    if (!response || !response.ok) return {};
    const [title, to] = ['x-shop-title', 'x-shop-address'].map((name) => response.headers.get(name));
    return { text: await response.text(), title, address: to };
  };
  // The browser environment answers in its own process.
  const ask = (address, { method = 'get', body = '' }) =>
    new Promise((answered) => {
      const number = questions.push(answered) - 1;
      const { href } = new URL(address, location.href);
      askShop(JSON.stringify({ number, method: method.toUpperCase(), address: href, form: String(body) }));
    });
  const asked = (address, { body = '' }) => window.askShop && Math.max(address.length, String(body).length) < 100_000;

  const show = async (address, sent, back) => {
    const current = ++turn;
    const { text, title, address: to } = await (asked(address, sent) ? ask : request)(address, sent);
    if (current !== turn) return; // superseded by a later request
    if (text === undefined) return location.assign(address); // shows the error
    places[at] = scrollY;
    main.innerHTML = text;
    for (const popUp of main.querySelectorAll('.popup')) if (closed.has(popUp.dataset.popup)) popUp.remove();
    document.title = title;
    if (back) at = back.at;
    else if (to !== location.pathname) history.pushState({ at: ++at }, '', to);
    main.focus({ preventScroll: true }); // the next Tab starts at the top
    scrollTo(0, (back && places[at]) || 0);
    await Promise.all([...main.querySelectorAll('img')].map((image) => image.decode().catch(() => undefined)));
  };
  const go = (address, sent, back) => {
    pending = show(address, sent, back);
  };
  window.shopPage = {
    answered({ number, ...contents }) {
      questions[number](contents);
      delete questions[number];
    },
    async shown() {
      for (let seen; seen !== pending; ) {
        seen = pending;
        await seen;
      }
      main.getBoundingClientRect(); // loads the fonts of new text
      await document.fonts.ready;
    },
  };

  addEventListener('submit', (event) => {
    event.preventDefault();
    const { action, method } = event.target;
    go(action, method === 'post' ? { method, body: new URLSearchParams(new FormData(event.target)) } : {});
  });
  addEventListener('click', (event) => {
    const popUp = event.target.closest('[data-dismiss]')?.closest('.popup');
    if (popUp) {
      closed.add(popUp.dataset.popup);
      return popUp.remove();
    }
    const link = event.target.closest('a');
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(link.href, {});
  });
  addEventListener('change', (event) => {
    if (event.target.dataset.url) go(event.target.dataset.url, {});
  });
  addEventListener('popstate', ({ state }) => go(location.href, {}, { at: (state && state.at) || 0 }));
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
})();
`;
