/** Messages and readings of BALROG's four agents, under three settings of its history. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Image } from '../image.js';
import { type BalrogAgent, type BalrogTurn, balrogAction, balrogMessages } from './balrog.js';
import type { ChatMessage } from './dialogue.js';

interface Recording {
  agent: string;
  maxTextHistory: number;
  maxImageHistory: number;
  responses: string[];
  parsed: string[];
  messages: [role: string, text: string, hasImage: boolean][][];
}
const recordings = JSON.parse(
  readFileSync(new URL('../../../../test/golden/balrog-agents.json', import.meta.url), 'utf8'),
) as Recording[];

const NAMES: Record<string, BalrogAgent> = {
  NaiveAgent: 'naive',
  ChainOfThoughtAgent: 'cot',
  RobustNaiveAgent: 'robust-naive',
  RobustCoTAgent: 'robust-cot',
};
const image: Image = { data: new Uint8Array(3), height: 1, width: 1, channels: 3 };

const recorded = ({ role, content }: ChatMessage) => {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  return [role, text, parts.some(({ type }) => type === 'image')];
};

describe.each(recordings)('$agent with $maxTextHistory texts and $maxImageHistory pictures', (recording) => {
  const { maxTextHistory, maxImageHistory, responses, parsed, messages } = recording;
  const agent = NAMES[recording.agent]!;

  it('reads responses as recorded', () => {
    expect(responses.map((response) => balrogAction(agent, response))).toEqual(parsed);
  });

  it('is asked with the recorded messages', () => {
    const asked = messages.map((_, turn) => {
      const turns = Array.from({ length: turn + 1 }, (_, at): BalrogTurn => {
        const bag = at % 2 === 0 ? { shortTerm: `bag ${at}` } : {};
        const observation = { text: `seen ${at}`, ...bag, image };
        return { observation, ...(at < turn && { response: responses[at]! }) };
      });
      return balrogMessages('RULES of the game.', turns, { agent, maxTextHistory, maxImageHistory }).map(recorded);
    });
    expect(asked).toEqual(messages);
  });
});

it('reads a response of a million characters in linear time', () => {
  const long = '<|ACTION|>'.repeat(100_000);
  for (const agent of Object.values(NAMES)) expect(balrogAction(agent, long)).toBeTypeOf('string');
});
