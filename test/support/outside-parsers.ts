/** Every parser of the packages that reads text from outside, a line each: model answers, files, web pages, archives. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { matchAction, parseResponse, rl4vlmCardAction, rl4vlmCommand } from '@vlgym/core';
import { escapeHtml, pythonStrip } from '@vlgym/core/internal';
import { PythonRandom } from '@vlgym/core/random';
import { NumberLineEnv, Points24Env } from '@vlgym/points24';
import { FORMATS, plainText } from '@vlgym/site/text';
import { episodes } from '../../apps/cli/src/report/episode-strips.js';
import { readAction } from '../../packages/agents/src/actions.js';
import { modelFailure } from '../../packages/agents/src/model/model-failure.js';
import { completions } from '../../packages/agents/src/terminal/line-reader.js';
import { selfBleu2 } from '../../packages/algos/rl/src/diagnostics/self-bleu.js';
import { parseEnvId } from '../../packages/core/src/registry/id.js';
import { unsafeName } from '../../packages/envs/alfworld/src/data/zip.js';
import { householdDialogue } from '../../packages/envs/alfworld/src/env/dialogue.js';
import { styled, taskSentence } from '../../packages/envs/alfworld/src/env/observation.js';
import { MATCHINGS, readCommand } from '../../packages/envs/alfworld/src/env/read-command.js';
import { renderAgain } from '../../packages/envs/alfworld/src/games/grammar-version.js';
import { readExpression } from '../../packages/envs/alfworld/src/grammar/expression.js';
import { readQuery } from '../../packages/envs/alfworld/src/grammar/query.js';
import { readText } from '../../packages/envs/alfworld/src/grammar/text.js';
import { readGrammarFile } from '../../packages/envs/alfworld/src/grammar/twl2.js';
import { readDomain, readProblem } from '../../packages/envs/alfworld/src/pddl/domain.js';
import { parseFormula } from '../../packages/envs/points24/src/formula/parse.js';
import { cleanPrice, cleanProduct } from '../../packages/envs/webshop/src/catalog/clean-product.js';
import { jsonEntries } from '../../packages/envs/webshop/src/catalog/json-stream.js';
import { browserDialogue } from '../../packages/envs/webshop/src/dialogue/browser-dialogue.js';
import { webShopDialogue } from '../../packages/envs/webshop/src/dialogue/dialogue.js';
import { buildGoals } from '../../packages/envs/webshop/src/goals/build-goals.js';
import { pythonLower } from '../../packages/envs/webshop/src/python/lower-case.js';
import { pythonJson, pythonRepr } from '../../packages/envs/webshop/src/python/text.js';
import { analyze } from '../../packages/envs/webshop/src/search/analyze.js';
import { parseOptions, parsePythonList } from '../../packages/envs/webshop/src/server/python-literal.js';
import { parseRoute } from '../../packages/envs/webshop/src/server/routes.js';
import { parseAction } from '../../packages/envs/webshop/src/shop/action.js';
import { h } from '../../packages/envs/webshop/src/shop/element.js';
import { siteDialogue } from '../../packages/site/src/dialogue/site-dialogue.js';
import { inputAction } from '../../packages/site/src/page/input.js';

type Parser = (text: string) => unknown;

const COMMANDS = [...Array.from({ length: 60 }, (_, index) => `go to cabinet ${index + 1}`), 'look', 'inventory'];
const STYLES = Object.keys(FORMATS) as (keyof typeof FORMATS)[];

const row = (text: string) => ({
  name: text,
  full_description: text,
  small_description: [text],
  pricing: '$1',
  images: [text],
  customization_options: { [text]: [{ value: text }] },
  query: text,
  category: text,
  product_category: text,
});
const instruction = (text: string) => {
  const human = [{ instruction: text, instruction_attributes: ['a'], instruction_options: [] }];
  return [cleanProduct(row('x') as never, 'A', { human } as never)];
};
const strip = (response: string) => ({
  caption: '',
  success: true,
  images: new Map(),
  trajectory: { steps: [{ index: 0, response, actionText: response, reward: 0 }], outcome: { return: 0 } },
});
const command = (text: string, matching: (typeof MATCHINGS)[number]) =>
  readCommand(text, { commands: COMMANDS, matching, format: 'json', requiredKeys: [] });

async function entriesOf(text: string): Promise<void> {
  const file = join(FOLDER, 'file.json');
  writeFileSync(file, text);
  for await (const _ of jsonEntries(file));
}
const FOLDER = mkdtempSync(join(tmpdir(), 'vlgym-hostile-'));
process.once('exit', () => rmSync(FOLDER, { recursive: true }));

const points = new Points24Env();
const line = new NumberLineEnv();
const pointsContext = { ...points.reset({ seed: 1 }), history: [] };
const lineContext = { ...line.reset({ seed: 1 }), history: [] };

export const PARSERS: Readonly<Record<string, Parser>> = {
  'answer as JSON': (text) => parseResponse(text, { actions: COMMANDS }),
  'answer with tags': (text) => parseResponse(text, { format: 'tags', actions: COMMANDS }),
  'answer as a tool call': (text) => parseResponse(text, { format: 'tool-call', actions: COMMANDS }),
  'match of an action': (text) => matchAction(text, COMMANDS),
  'published rule for cards': (text) => rl4vlmCardAction(text, ['1', '10', '+']),
  'published rule for commands': (text) => rl4vlmCommand(text, COMMANDS),
  'environment id': parseEnvId,
  'typed action': (text) => readAction(points.actionSpace, text),
  'completion of a typed line': (text) => completions(text, COMMANDS),
  'error of a provider': (text) =>
    modelFailure({ statusCode: 429, message: text, responseHeaders: { 'retry-after': text } }),
  'self-BLEU of answers': (text) => selfBleu2([text, text]),
  'report of an answer': (text) => episodes([strip(text)] as never, () => 'c0'),
  formula: parseFormula,
  'answer in Points24': (text) => points.dialogue?.parse(text, pointsContext as never),
  'answer in NumberLine': (text) => line.dialogue?.parse(text, lineContext as never),
  ...Object.fromEntries(
    MATCHINGS.flatMap((matching): [string, Parser][] => [
      [`command, ${matching}`, (text) => command(JSON.stringify({ action: text }), matching)],
      [`broken command, ${matching}`, (text) => command(`"action": "${text}`, matching)],
    ]),
  ),
  'observation of a game': (text) => styled(`You arrive at loc ${text}`, 'strip-loc'),
  'introduction of a game': taskSentence,
  'demonstration of a command': (text) =>
    householdDialogue({}).demonstrate?.({ info: { task: text } } as never, `take ${text} from ${text}`),
  'grammar file': readGrammarFile,
  'grammar block': (text) => readGrammarFile(`grammar :: """${text}#""";`),
  'grammar text': readText,
  'grammar condition': (text) => readText(`{${text}`),
  'grammar query': readQuery,
  'arguments of a query': (text) => readQuery(`a(${text})`),
  'grammar expression': readExpression,
  'PDDL domain': readDomain,
  'PDDL problem': (text) => readProblem(text, new Set()),
  'patched grammar': (grammar) => renderAgain({ domain: grammar, problem: '', grammar }, 'patched-2.1.2'),
  'grammar of another version': (grammar) =>
    renderAgain({ domain: '', problem: '', grammar }, 'v0.5.0', { domain: '', grammar: '' }),
  'name in an archive': unsafeName,
  'search terms': analyze,
  'shop action': (text) => [parseAction(text), parseAction(`click[${text}`, true)],
  'page action': (text) => [inputAction(text), inputAction(`type[${text}`)],
  'strip as in Python': (text) => pythonStrip(text),
  'lower case as in Python': pythonLower,
  'repr as in Python': pythonRepr,
  'JSON as in Python': (text) => pythonJson([[text, text]]),
  price: cleanPrice,
  'price after a dollar sign': (text) => cleanPrice(`$${text}`),
  product: (text) => cleanProduct(row(text) as never, 'A'),
  instruction: (text) => buildGoals(instruction(text), 'human', () => 1, new PythonRandom(1)),
  'JSON file': entriesOf,
  'JSON entry with NaN': (text) => entriesOf(`[NaN, ${text}, "${text}"]`),
  'list in an address': (text) => [parsePythonList(text), parsePythonList(`[${text}]`), parsePythonList(`['${text}']`)],
  'options in an address': (text) => [parseOptions(text), parseOptions(`{${text}}`), parseOptions(`{'${text}'}`)],
  address: (text) => [parseRoute(text), parseRoute(`/done/x/y/${text}`)],
  'text in a page': (text) => [escapeHtml(text), plainText(h('p', text))],
  ...Object.fromEntries(
    STYLES.flatMap((style): [string, Parser][] => [
      [`shop answer, ${style}`, (text) => webShopDialogue(style).parse(text, undefined as never)],
      [`browser answer, ${style}`, (text) => browserDialogue(style, true).parse(text, undefined as never)],
      [`site answer, ${style}`, (text) => siteDialogue(style, true).parse(text, undefined as never)],
    ]),
  ),
};
