/** A person at a terminal: sees what the environment renders, types an action, reads why an input is invalid. */
import type { AnyEnv, Info } from '@vlgym/core';
import { isImage } from '@vlgym/core/images';
import { checkNames, names } from '@vlgym/core/internal';
import { actionText } from '../actions.js';
import type { Agent, AgentContext, AgentTurn } from '../agent.js';
import { noHint } from '../refusal.js';
import { turnFromAction } from '../turn.js';
import { ansiPicture } from './ansi-picture.js';
import { choicesOf, readLine, scoreOf } from './human-line.js';
import { type LineInput, type LineOutput, type LineReader, lineReader } from './line-reader.js';
import { choiceTable, TERMINAL_WIDTH, wrapped } from './terminal-text.js';

export interface HumanAgentOptions {
  readonly input?: LineInput | undefined;
  readonly output?: LineOutput | undefined;
  /** Width of pictures, in characters. */
  readonly columns?: number | undefined;
  /**
   * Offers `:undo`, which ends the episode with the error `HUMAN_UNDO`: the caller then plays it again up to the step
   * before. Default false.
   */
  readonly undo?: boolean | undefined;
}

const HUMAN_AGENT_NAMES = names<HumanAgentOptions>({ input: 0, output: 0, columns: 0, undo: 0 });

const COMMANDS: Readonly<Record<string, string>> = {
  ':help': 'this text',
  ':hint': "the expert's action",
  ':undo': 'takes the last step back',
  ':quit': 'stops',
};

/**
 * Prompts on `output` and reads lines from `input`, by default those of the process. An action that is invalid, or would
 * change nothing now, is explained and asked for again, with the action that was probably meant; typed twice, it is performed
 * if the space has it. `:quit` and the end of the input end the episode with the error `HUMAN_QUIT`.
 */
export function humanAgent<O = unknown, A = unknown, I extends Info = Info>(
  options: HumanAgentOptions = {},
): Agent<O, A, I> {
  checkNames('options', options, HUMAN_AGENT_NAMES);
  const { input = process.stdin, output = process.stdout, columns = 60, undo = false } = options;
  const commands = Object.keys(COMMANDS).filter((command) => undo || command !== ':undo');
  let reader: LineReader | undefined;
  let choices: readonly string[] = [];
  const say = (text: string) => output.write(`${wrapped(text, width())}\n`);
  const width = () => ('columns' in output && Number(output.columns)) || TERMINAL_WIDTH;

  return {
    name: 'human',
    async act(context): Promise<AgentTurn<A>> {
      reader ??= lineReader(input, output, () => choices);
      const { env, stepIndex, history } = context;
      choices = [...(choicesOf(context) ?? []), ...commands];
      const help = () => {
        say(`Type an action; Tab completes it.\n${commands.map((name) => `  ${name}  ${COMMANDS[name]}`).join('\n')}`);
        output.write(`${actionsOf(context, width())}\n`);
      };
      if (stepIndex === 0) help();
      else say(scoreOf(env, stepIndex, history));
      say(await view(context, columns));
      let doubted: string | undefined;
      for (;;) {
        const line = (await reader.next(context.signal))?.trim();
        if (line === undefined || line === ':quit') return stopped('HUMAN_QUIT', 'The player quit.');
        if (line === ':undo' && undo) {
          if (history.length > 0) return stopped('HUMAN_UNDO', 'The player took a step back.');
          say('No step was taken yet.');
        } else if (line === ':help' || line === '') help();
        else if (line === ':hint') say(hint(context));
        else if (line.startsWith(':') && !choices.includes(line)) {
          say(`Unknown command "${line}". Commands: ${commands.join(', ')}.`);
        } else {
          const read = readLine(context, line);
          // an action that changes nothing would cost a step, so it must be typed twice
          if ('action' in read && (read.doubt === undefined || doubted === line))
            return turnFromAction(context, read.action);
          doubted = line;
          say('action' in read ? `${read.doubt} To do it anyway, type it again.` : read.doubt);
        }
      }
    },
    close: () => reader?.close(),
  };
}

const stopped = (code: string, message: string) => ({ text: '', error: { boundary: 'agent' as const, code, message } });

function actionsOf<O, A, I extends Info>(context: AgentContext<O, A, I>, width: number): string {
  const choices = choicesOf(context);
  if (choices === undefined) return `Actions: ${context.env.actionSpace.describe()}`;
  return `Actions:\n${choiceTable(choices, width)}`;
}

function hint<O, A, I extends Info>({ env }: AgentContext<O, A, I>): string {
  const action = env.oracle?.();
  return action === undefined ? noHint(env as AnyEnv) : `Hint: ${actionText(env.actionSpace, action)}`;
}

/** The text that the environment renders, otherwise the observation as a picture or as text. */
async function view<O, A, I extends Info>(
  { env, observation }: AgentContext<O, A, I>,
  columns: number,
): Promise<string> {
  const frame: unknown = env.renderMode === 'ansi' ? await env.render() : observation;
  if (typeof frame === 'string') return frame;
  if (isImage(frame)) return ansiPicture(frame, columns);
  return JSON.stringify(env.observationSpace.encode(observation));
}
