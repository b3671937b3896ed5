/** Pages of our own by the protocol of MiniWoB++, for tests without the original's, and whether those are here. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedChromium } from '@vlgym/chromium';
import { pagesFolder } from '../src/pages/pages-folder.js';

const succeeds = (act: () => unknown): boolean => {
  try {
    act();
    return true;
  } catch {
    return false;
  }
};

export const hasChromium = installedChromium() !== undefined;
/** The original's pages, and a browser to show them. */
export const hasPages = hasChromium && succeeds(() => pagesFolder());

/** A page takes as long as the machine lets it. */
export const LIMIT = 120_000;

const CORE = `
var core = { EPISODE_MAX_TIME: 10000, timer: null };
var WOB_REWARD_GLOBAL = 0, WOB_RAW_REWARD_GLOBAL = 0, WOB_REWARD_REASON = null, WOB_DONE_GLOBAL = false, WOB_EPISODE_ID = 0, WOB_TASK_READY = true;
Math.seedrandom = (seed) => { let word = seed * 7 + 1; Math.random = () => (word = (word * 16807) % 2147483647) / 2147483647; };
core.setDataMode = (mode) => { core.mode = mode; };
core.getUtterance = () => document.getElementById('query').textContent;
core.startEpisodeReal = () => {
  WOB_DONE_GLOBAL = false;
  core.began = Date.now();
  genProblem();
  core.timer = setTimeout(() => core.endEpisode(-1, false, 'timed out'), core.EPISODE_MAX_TIME);
};
core.endEpisode = (reward, decays, reason) => {
  if (core.timer === null) return;
  clearTimeout(core.timer);
  core.timer = null;
  WOB_RAW_REWARD_GLOBAL = reward;
  WOB_REWARD_REASON = reason;
  WOB_REWARD_GLOBAL = decays ? reward * Math.max(0, 1 - (Date.now() - core.began) / core.EPISODE_MAX_TIME) : reward;
  WOB_DONE_GLOBAL = true;
  WOB_EPISODE_ID += 1;
};`;

const page = (body: string, script: string): string => `<!DOCTYPE html><html><head><title>Test</title>
<script src="../core/core.js"></script><style>body { margin: 0 } #wrap { width: 160px; height: 210px; background: white }</style>
<script>${script}</script></head><body><div id="wrap"><div id="query"></div>${body}</div></body></html>`;

/** By task: all other names have no page. */
const PAGES: Readonly<Record<string, string>> = {
  'click-button': page(
    '<button id="a"></button><button id="b"></button>',
    `genProblem = () => {
      const names = ['Ok', 'No', 'Go', 'Yes', 'Send', 'Stop'].sort(() => Math.random() - 0.5);
      for (const [index, id] of ['a', 'b'].entries()) {
        document.getElementById(id).textContent = names[index];
        document.getElementById(id).onclick = () => core.endEpisode(index === 0 ? 1 : -1, index === 0);
      }
      document.getElementById('query').textContent = 'Click on the "' + names[0] + '" button.';
    };`,
  ),
  'enter-text': page(
    '<input id="text"><button id="send">Submit</button>',
    `genProblem = () => {
      document.getElementById('query').textContent = 'Enter "tea" into the text field and press Submit.';
      document.getElementById('send').onclick = () => core.endEpisode(document.getElementById('text').value === 'tea' ? 1 : 0.5, true);
    };`,
  ),
  terminal: page(
    '<p id="shown"></p>',
    `genProblem = () => {
      let ticks = 0;
      document.getElementById('query').textContent = 'Wait.';
      setInterval(() => { document.getElementById('shown').textContent = ++ticks + ' ' + new Date().toISOString(); }, 250);
    };`,
  ),
  'click-test': page('<p>never</p>', 'WOB_TASK_READY = false; genProblem = () => { WOB_TASK_READY = false; };'),
};

/** Writes the pages as the original's folder `html`. */
export function writePages(folder: string): void {
  for (const name of ['core', 'miniwob']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'core', 'core.js'), CORE);
  for (const [task, text] of Object.entries(PAGES)) writeFileSync(join(folder, 'miniwob', `${task}.html`), text);
}
