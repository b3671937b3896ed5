/** The page as one document. Nothing in it comes from an environment; the script writes all that changes as text. */
import { readFileSync } from 'node:fs';
import { STYLE } from './page-style.js';

/**
 * The script requests scenes, draws pictures on canvases, and writes all output of an environment as text. Its parts go into
 * the page unchanged, one after the other, so they are JavaScript in one scope and import nothing at run time. TypeScript
 * checks them with `tsconfig.page.json`.
 */
const PARTS = ['elements', 'exchange', 'scene', 'pictures', 'talk', 'shop', 'watching', 'actions', 'events'];
/** The build copies the parts next to the bundle, so the path is the same in the sources and in the package. */
const SCRIPT = PARTS.map((part) => readFileSync(new URL(`./page-script/${part}.js`, import.meta.url), 'utf8')).join(
  '\n',
);

/** @param nonce  Scripts and styles with it pass the content security policy. */
export function playPage(nonce: string): string {
  return `<!doctype html>
<html lang="en" data-nonce="${nonce}">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>vlgym play</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${STYLE}</style>
<script nonce="${nonce}" type="module">${SCRIPT}</script>
</head>
<body>
<header>
  <h1 id="env">…</h1>
  <dl id="score">
    <div><dt>step</dt><dd id="step">0</dd></div>
    <div class="last"><dt>reward</dt><dd id="reward">–</dd></div>
    <div><dt>score</dt><dd id="return">0</dd></div>
  </dl>
</header>
<main>
  <section id="stage" aria-label="What is to be seen">
    <p id="task" hidden></p>
    <details id="guide" open hidden><summary>How to play</summary><p id="goal"></p><p id="rules"></p><p id="costs"></p></details>
    <div id="verdict" role="status" hidden><p><strong></strong> <span id="ending"></span></p><dl></dl></div>
    <div id="after" hidden><button type="button" id="go-on">Next episode</button><button type="button" id="repeat">Play it again</button></div>
    <figure id="eye" hidden><canvas role="img" aria-label="what the agent sees"></canvas></figure>
    <iframe id="site" title="The page" sandbox="allow-same-origin allow-forms" hidden></iframe>
    <div id="talk" role="region" aria-label="What happened" tabindex="0" hidden></div>
    <p id="news" class="unseen" aria-live="polite"></p>
  </section>
  <aside aria-label="Actions and details">
    <div id="more"></div>
    <section id="doing" aria-label="What can be done">
      <form id="say"><input id="words" autocomplete="off" spellcheck="false" maxlength="20000" aria-label="Action" placeholder="type an action or choose one"><button>Do it</button></form>
      <p id="note" role="alert" hidden></p>
      <button type="button" id="anyway" hidden>Do it anyway</button>
      <div id="pad" role="group" aria-label="Directions" hidden></div>
      <div id="actions" role="group" aria-label="Actions"></div>
    </section>
    <section id="watch" aria-label="Playback" hidden>
      <p id="who"></p>
      <div><button type="button" id="back">Back <kbd>←</kbd></button><button type="button" id="play">Play <kbd>space</kbd></button><button type="button" id="one">Step <kbd>→</kbd></button></div>
      <label>steps per second <input id="speed" type="range" min="0.5" max="8" step="0.5" value="2"></label>
      <label id="pick" hidden>episode <select id="episodes"></select></label>
    </section>
    <section id="help" aria-label="Help"><button type="button" id="undo" hidden>Undo <kbd>⌫</kbd></button><button type="button" id="hint">Hint <kbd>?</kbd></button><span id="advice" aria-live="polite"></span></section>
    <form id="again" aria-label="Episode">
      <label>seed <input id="seed" type="number" min="0" step="1" required></label>
      <button>Play this seed</button><button type="button" id="next">Next episode</button>
    </form>
    <section id="log" aria-labelledby="log-title" hidden><h2 id="log-title">Steps</h2><ol tabindex="0"></ol></section>
    <details><summary>What a model is told</summary><pre id="prompt" tabindex="0"></pre></details>
    <details><summary>Info</summary><p id="id"></p><pre id="info" tabindex="0"></pre></details>
  </aside>
</main>
<p id="gone" role="alert" hidden>vlgym has stopped. Start it again to continue playing.</p>
</body>
</html>
`;
}
