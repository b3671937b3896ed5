/** A game in the words of BALROG: its history, its notice after an answer that names no action, its reading of answers. */
import type { Info } from '../env.js';
import { type BalrogAgent, type BalrogObservation, type BalrogTurn, balrogAction, balrogMessages } from './balrog.js';
import type { Dialogue } from './dialogue.js';

export interface BalrogGame<Observation, I extends Info> {
  /** Name and version of the dialogue. */
  readonly version: string;
  readonly agent: Extract<BalrogAgent, 'naive' | 'cot'>;
  /** Names of the actions from 0, in BALROG's words. */
  readonly actions: readonly string[];
  /** The action in place of an answer that names none, and of an action that has no name. */
  readonly fallback: number;
  readonly instruction: (info: I) => string;
  readonly see: (observation: Observation) => BalrogObservation;
  /** The thought of `cot` before a demonstrated action. */
  readonly reason: string;
}

/** Functional strings follow balrog-ai/BALROG (MIT) at af7d1f17. */
export function balrogDialogue<Observation, I extends Info>({
  version,
  agent,
  actions,
  fallback,
  instruction,
  see,
  reason,
}: BalrogGame<Observation, I>): Dialogue<Observation, number, I> {
  const indexOf = (response: string) => actions.indexOf(balrogAction(agent, response));
  const notice = `\n\nYour previous output did not contain a valid action. Defaulted to action: ${actions[fallback]}\n\nObservation:\n`;
  return {
    version,
    prompt({ observation, info, history }) {
      const seen = [...history.map((turn) => turn.observation), observation].map(see);
      const turns = seen.map((each, at): BalrogTurn => {
        const before = at > 0 ? history[at - 1]!.text : undefined;
        const isInvalid = before !== undefined && indexOf(before) < 0;
        const response = history[at]?.text;
        return {
          observation: isInvalid ? { ...each, text: notice + each.text } : each,
          ...(response !== undefined && { response }),
        };
      });
      return balrogMessages(instruction(info), turns, { agent });
    },
    parse(text) {
      const read = indexOf(text);
      const start = agent === 'cot' ? Math.max(text.lastIndexOf('ACTION:'), 0) : 0;
      return {
        thought: text.slice(0, start).trim(),
        action: read < 0 ? fallback : read,
        actionText: balrogAction(agent, text),
        legal: true,
        formatValid: read >= 0,
        spans: { ...(start > 0 && { thought: [0, start] as const }), action: [start, text.length] },
      };
    },
    choices: () => actions.map((_, action) => action),
    demonstrate: (_, action) => {
      const name = actions[action] ?? actions[fallback]!;
      return agent === 'cot' ? `${reason}\nACTION: ${name}` : name;
    },
  };
}
