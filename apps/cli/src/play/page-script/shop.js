/**
 * The page of a shop, the only markup that comes from an environment. It is shown in a sandboxed frame where no script
 * runs, and a click in it becomes an action.
 */

const { nonce } = document.documentElement.dataset;

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
    if (!site.contentDocument) return;
    connectSite(site.contentDocument);
    site.dataset.turn = document.body.dataset.turn; // from now on a click in it is an action
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
