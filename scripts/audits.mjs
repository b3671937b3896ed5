/**
 * Audits every environment and writes the table of `docs/audits.md`. What `runs/audits/audits.jsonl` has is not audited again.
 *
 *     npm run build && node scripts/audits.mjs [IDS…]
 */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './setup.mjs';

const EPISODES = 10;
const SETTINGS = { episodes: EPISODES, searchSteps: 800, maxSteps: 100 };
const FIRST = ['points24', 'canary', 'webshop', 'alfworld', 'minigrid', 'miniworld', 'crafter', 'puzzles', 'arcade'];
const entryOf = (name) => `packages/envs/${name}/dist/index.js`;
const MODULES = [...new Set([...FIRST, ...readdirSync(join(root, 'packages/envs'))])].filter((name) =>
  existsSync(join(root, entryOf(name))),
);
/** Options without which an environment has no expert. */
const OPTIONS = { 'alfworld/AlfredTWEnvPython-v0': { expert: 'hand-coded' } };
const [START, END] = ['<!-- audits -->', '<!-- /audits -->'];

const load = (path) => import(pathToFileURL(join(root, path)).href);
const { findRegistration, make, registeredIds } = await load('packages/core/dist/index.js');
const { auditEnv } = await load('packages/agents/dist/audit.js');
for (const name of MODULES) await load(entryOf(name));

const folder = join(root, 'runs/audits');
const file = join(folder, 'audits.jsonl');
const page = join(root, 'docs/audits.md');
mkdirSync(folder, { recursive: true });
const results = new Map();
if (existsSync(file)) {
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const result = JSON.parse(line);
    results.set(result.id, result);
  }
}

const orderOf = (id) => MODULES.findIndex((name) => findRegistration(id).module?.includes(`@vlgym/${name}`));
const all = registeredIds().sort((a, b) => orderOf(a) - orderOf(b) || (a < b ? -1 : 1));
const asked = process.argv.slice(2);
for (const id of all) {
  if (asked.length > 0 ? !asked.includes(id) : results.has(id)) continue;
  let result;
  try {
    const { environment: _, ...report } = await auditEnv(() => make(id, { options: OPTIONS[id] ?? {} }), SETTINGS);
    result = { id, ...report };
  } catch (error) {
    result = { id, failed: error.code ?? error.name, message: String(error.message).split('\n')[0] };
  }
  results.set(id, result);
  appendFileSync(file, `${JSON.stringify(result)}\n`);
  const words = result.failed ?? (result.findings.map(({ code }) => code).join(' ') || 'clean');
  process.stdout.write(`${id}  ${words}\n`);
}

const percent = (rate) => (rate === undefined ? '–' : `${Math.round(100 * rate)}`);
function row({ id, failed, scores = [], findings = [], skipped = [] }) {
  if (failed) return [`\`${id}\``, '', '', '', `not audited: ${failed}`];
  const rate = (name) => scores.find(({ agent }) => agent === name)?.successRate;
  const others = scores.filter(
    ({ agent }) => !['oracle', 'random', 'writes its action', 'injects text'].includes(agent),
  );
  const best = others.reduce((top, each) => (each.successRate > top.successRate ? each : top));
  const words = findings.map(({ code, severity }) => (severity === 'hack' ? `**${code}**` : code));
  const left = skipped.map((text) => text.replace(/:.*/, ''));
  const verdict = [words.join(', ') || 'clean', left.length > 0 && `without: ${left.join(', ')}`].filter(Boolean);
  const cells = [percent(rate('oracle')), percent(rate('random')), `${percent(best.successRate)} (${best.agent})`];
  return [`\`${id}\``, ...cells, verdict.join('; ')];
}

const rows = all.flatMap((id) => (results.has(id) ? [row(results.get(id))] : []));
const audited = [...results.values()].filter(({ failed }) => !failed).length;
/** As formatters align it. */
function aligned(cells, right) {
  const widths = cells[0].map((_, column) => Math.max(3, ...cells.map((row) => row[column].length)));
  const line = (row) =>
    `| ${row.map((cell, at) => (right[at] ? cell.padStart(widths[at]) : cell.padEnd(widths[at]))).join(' | ')} |`;
  const rule = `| ${widths.map((width, at) => (right[at] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width))).join(' | ')} |`;
  return [line(cells[0]), rule, ...cells.slice(1).map(line)];
}

const table = [
  `${audited} of ${all.length} ids, ${EPISODES} episodes of each agent, ${SETTINGS.searchSteps} steps of search, ${SETTINGS.maxSteps} turns at most:`,
  '',
  ...aligned(
    [['environment', 'expert, %', 'random, %', 'best without skill, %', 'verdict'], ...rows],
    [false, true, true, false, false],
  ),
].join('\n');
const text = readFileSync(page, 'utf8');
const [before, after] = [text.slice(0, text.indexOf(START) + START.length), text.slice(text.indexOf(END))];
writeFileSync(page, `${before}\n\n${table}\n\n${after}`);
