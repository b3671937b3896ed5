/** A person at a terminal: sees what the environment renders, types an action, reads why an input is invalid. */
import { GymError, type Info } from '@vlgym/core';
import { isImage } from '@vlgym/core/images';
import { checkNames, names } from '@vlgym/core/internal';
import { actionText, actionWords, readAction } from './actions.js';
import type { Agent, AgentContext, AgentTurn } from './agent.js';
import { ansiPicture } from './ansi-picture.js';
import { type LineInput, type LineOutput, type LineReader, lineReader } from './line-reader.js';
import { choiceTable, nearMiss, TERMINAL_WIDTH, wrapped } from './terminal-text.js';
import { turnFromAction } from './turn.js';

export interface HumanAgentOptions {
  readonly input?: LineInput | undefined;
  readonly output?: LineOutput | undefined;
  /** Width of pictures, in characters. */
  readonly columns?: number | undefined;
}

const HUMAN_AGENT_NAMES = names<HumanAgentOptions>({ input: 0, output: 0, columns: 0 });

const HELP = "Type an action (Tab completes it), :help for this text, :hint for the expert's action, or :quit to stop.";
const COMMANDS = [':help', ':hint', ':quit'];

/**
 * Prompts on `output` and reads lines from `input`, by default those of the process. An invalid action is explained and
 * asked for again, with the action that was probably meant; typed twice, it is performed if the space has it.
 * `:quit` and the end of the input end the episode with the error `HUMAN_QUIT`.
 */
export function humanAgent<O = unknown, A = unknown, I extends Info = Info>(
  options: HumanAgentOptions = {},
): Agent<O, A, I> {
  checkNames('options', options, HUMAN_AGENT_NAMES);
  const { input = process.stdin, output = process.stdout, columns = 60 } = options;
  let reader: LineReader | undefined;
  let choices: readonly string[] = [];
  const say = (text: string) => output.write(`${text}\n`);
  const width = () => ('columns' in output && Number(output.columns)) || TERMINAL_WIDTH;

  return {
    name: 'human',
    async act(context): Promise<AgentTurn<A>> {
      reader ??= lineReader(input, output, () => choices);
      choices = [...(choicesOf(context) ?? []), ...COMMANDS];
      const help = () => `${wrapped(HELP, width())}\n${actionsOf(context, width())}`;
      if (context.stepIndex === 0) say(help());
      say(wrapped(await view(context, columns), width()));
      let doubted: string | undefined;
      for (;;) {
        const line = await reader.next(context.signal);
        if (line === undefined || line.trim() === ':quit') {
          return { text: '', error: { boundary: 'agent', code: 'HUMAN_QUIT', message: 'The player quit.' } };
        }
        if (line.trim() === ':help' || line.trim() === '') say(help());
        else if (line.trim() === ':hint') say(hint(context));
        else {
          const near = nearMiss(line, choicesOf(context) ?? []);
          if (near !== undefined && doubted !== line) {
            // an action outside the list would cost a step, so it must be typed twice
            doubted = line;
            say(`Unknown action "${line.trim()}". Did you mean "${near}"?`);
            continue;
          }
          try {
            return turnFromAction(context, readAction(context.env.actionSpace, line));
          } catch (error) {
            if (!GymError.isInstance(error)) throw error;
            say(error.message);
          }
        }
      }
    },
    close: () => reader?.close(),
  };
}

function actionsOf<O, A, I extends Info>(context: AgentContext<O, A, I>, width: number): string {
  const choices = choicesOf(context);
  if (choices === undefined) return `Actions: ${context.env.actionSpace.describe()}`;
  return `Actions:\n${choiceTable(choices, width)}`;
}

/** Actions as a person types them, if they can be listed. */
function choicesOf<O, A, I extends Info>(context: AgentContext<O, A, I>): readonly string[] | undefined {
  const { dialogue, actionSpace } = context.env;
  return dialogue?.choices?.(context).map((action) => actionText(actionSpace, action)) ?? actionWords(actionSpace);
}

function hint<O, A, I extends Info>({ env }: AgentContext<O, A, I>): string {
  const action = env.oracle?.();
  return action === undefined ? 'No hint available.' : `Hint: ${actionText(env.actionSpace, action)}`;
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
