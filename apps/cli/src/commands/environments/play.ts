import { findRegistration, GymError } from '@vlgym/core';
import { z } from 'zod';
import { agentOptions, defaultAgent, openAgent, playerOf } from '../../agents.js';
import { defineCommand, UsageError } from '../../command-line/command.js';
import { checkNeeds, needs } from '../../command-line/needs.js';
import { importOption, withEnvironment } from '../../environments.js';
import { playInTerminal } from '../../play/in-terminal.js';
import { playOnPage } from '../../play/on-page.js';
import { openBrowser } from '../../play/open-browser.js';
import { pageOptions } from '../../play/page-options.js';

const TERMINAL = 'the terminal';
const PAGE = 'the page';
const onPageOnly = needs({ surface: [PAGE] }, 'leave out --terminal');

export const play = defineCommand({
  name: 'play',
  summary: 'play an environment yourself, or watch an agent play',
  description:
    'In the terminal it shows the environment as text, asks for an action and prints the result; `:hint` asks the expert, `:undo` takes a step back, `:quit` ends. The page in your browser has pictures, a map, keys, buttons, or the shop itself; closing it ends the play. Each environment declares where it opens (MiniWorld and WebShop as a page, cards and ALFWorld in the terminal, one without text on the page), its goal, rules and score, and the options of people who choose none: Points24 deals hands that have a solution. Short names work: miniworld, miniworld/Hallway, alfworld, webshop, blackjack.',
  positional: 'env',
  options: z.object({
    env: z.string().default('vlgym/Points24-v1').describe('id or short name of the environment'),
    ...importOption,
    page: z.boolean().optional().describe('play on a page in the browser'),
    terminal: z.boolean().optional().describe('play in the terminal'),
    seed: z.number().int().nonnegative().default(0).describe('seed of the first episode; later ones count up'),
    episodes: z
      .number()
      .int()
      .positive()
      .optional()
      .meta(needs({ surface: [TERMINAL] }, 'the page plays as many as you like; leave it out, or add --terminal'))
      .describe('how many episodes in the terminal; default 1'),
    envOptions: z.record(z.string(), z.unknown()).default({}).describe('options of the environment'),
    record: z.string().optional().describe('folder for the episodes as trajectories'),
    port: pageOptions.port.meta(onPageOnly),
    open: pageOptions.open.meta(onPageOnly),
    agent: z
      .string()
      .optional()
      .describe('watch it play: random, blind, oracle, policy, openai, PROVIDER/MODEL, or a file of yours'),
    ...agentOptions,
  }),
  examples: [
    { command: 'vlgym play', does: 'one hand of Points24' },
    { command: 'vlgym play vlgym/Blackjack-v1 --seed 7 --episodes 3', does: 'three hands of Blackjack' },
    { command: 'vlgym play miniworld/Maze', does: 'walk through a maze with the arrow keys and a map' },
    { command: 'vlgym play miniworld/Hallway --agent oracle', does: 'watch the expert walk, step by step' },
    { command: 'vlgym play alfworld --page', does: 'a household task, with buttons for the possible actions' },
    { command: 'vlgym play my/Env-v0 --import ./my-env.js', does: 'your own environment' },
    { command: 'vlgym play webshop --record runs/me', does: 'shop in the real pages, and record your actions' },
  ],
  async run(typed, { stdout, stderr, signal, given: origins }) {
    const { page, terminal } = typed;
    if (page !== undefined && page === terminal) {
      throw new UsageError('--page and --terminal exclude each other.', { hint: 'leave one of them out' });
    }
    const given = await withEnvironment(typed);
    const { env: id, seed, episodes, record, port, open } = given;
    const agent = given.agent ?? (defaultAgent(given) === 'policy' ? 'policy' : undefined);
    const asksForPage = agent !== undefined || 'port' in origins || 'open' in origins;
    const opensAsPage = asksForPage || findRegistration(id).surface === 'page';
    const onPage = page ?? (terminal === undefined ? opensAsPage : !terminal);
    const check = (surface: string) => checkNeeds(play, { ...given, player: playerOf(agent), surface }, origins);
    check(onPage ? PAGE : TERMINAL);
    if (agent !== undefined && !onPage) {
      throw new UsageError(`${playerOf(agent)} plays on the page.`, {
        hint: 'vlgym eval --agent measures without a page',
      });
    }
    const player = agent === undefined ? undefined : await openAgent({ ...given, agent });
    // an agent plays what it is measured on
    const envOptions = { ...(player ? {} : findRegistration(id).playOptions), ...given.envOptions };
    const options = { id, seed, envOptions, record, stdout, signal };
    if (!onPage) {
      try {
        await playInTerminal({ ...options, episodes });
        return 0;
      } catch (error) {
        const hasNoText = GymError.isInstance(error) && error.code === 'UNSUPPORTED_RENDER_MODE';
        if (terminal || !hasNoText) throw error;
        stderr.write(`${id} has no text to show in a terminal; it opens on the page.\n`);
        check(PAGE);
      }
    }
    await playOnPage({
      ...options,
      port,
      ...(player && { player: player.agent }),
      onListening(address) {
        stdout.write(`${address}\nOpen this address in your browser; closing the page or Ctrl-C ends the play.\n`);
        if (open) openBrowser(address);
      },
    }).finally(() => player?.close());
    return 0;
  },
});
