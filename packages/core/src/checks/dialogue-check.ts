/** Checks of a dialogue: prompts are messages, parsing never throws, a demonstration parses to its action. */
import type { ChatMessage, ParsedResponse, PromptContext, Turn } from '../dialogue/dialogue.js';
import { readResponse } from '../dialogue/read-response.js';
import type { AnyEnv } from '../env.js';
import { show } from '../errors.js';
import { isImage } from '../images/is-image.js';
import { firstDifference } from './difference.js';
import type { Finding, FindingCode } from './finding.js';
import { drawAction } from './rollout.js';

/** Responses of real models. */
const ODD_RESPONSES = [
  '',
  ' \n\t',
  '{',
  '{"action": }',
  '{"thoughts": "…", "action": "no such action"}',
  '```json\n{"action": 1}\n```',
  '<think>unfinished',
  '\u0000\ud83c',
  'a'.repeat(10_000),
];

const error = (code: FindingCode, message: string): Finding => ({ code, severity: 'error', message });

/** Checks up to `steps` turns of one episode. */
export async function dialogueFindings(env: AnyEnv, seed: number, steps: number): Promise<Finding[]> {
  const findings: Finding[] = [];
  const history: Turn[] = [];
  env.actionSpace.seed(seed);
  let { observation, info } = await env.reset({ seed });
  for (let step = 0; step < steps && findings.length === 0; step += 1) {
    const context: PromptContext = { observation, info, history: [...history] };
    // a random text is not an action that a response could name
    const choices = env.dialogue!.choices?.(context) ?? [];
    const expert = env.oracle?.();
    const action = expert ?? (choices.length > 0 ? choices[step % choices.length] : drawAction(env));
    const text = env.dialogue!.demonstrate?.(context, action) ?? '';
    findings.push(...promptFindings(env, context), ...parseFindings(env, context));
    if (env.dialogue!.demonstrate) findings.push(...demonstrationFindings(env, context, action, text));
    // what is said of an action at random may be wrong
    if (env.dialogue!.demonstrate && expert !== undefined) findings.push(...thoughtFindings(env, context, text));
    const result = await env.step(action);
    if (result.terminated || result.truncated) break;
    history.push({ observation, text, action, reward: result.reward });
    ({ observation, info } = result);
  }
  return findings;
}

function promptFindings(env: AnyEnv, context: PromptContext): Finding[] {
  const messages: unknown = env.dialogue!.prompt(context);
  if (Array.isArray(messages) && messages.length > 0 && messages.every(isMessage)) return [];
  return [error('DIALOGUE_PROMPT', `\`prompt\` returned ${show(messages)}, not a list of chat messages`)];
}

function isMessage(message: unknown): message is ChatMessage {
  const { role, content } = (message ?? {}) as Partial<ChatMessage>;
  if (role !== 'system' && role !== 'user' && role !== 'assistant') return false;
  if (typeof content === 'string') return true;
  return (
    Array.isArray(content) &&
    content.every((part) => (part.type === 'text' ? typeof part.text === 'string' : isImage(part.image)))
  );
}

function parseFindings(env: AnyEnv, context: PromptContext): Finding[] {
  return ODD_RESPONSES.flatMap((text) => {
    const parsed = tryParse(env, text, context);
    if ('code' in parsed) return [parsed];
    const [start, end] = parsed.spans.action;
    if (!(start >= 0 && start <= end && end <= text.length)) {
      return [error('DIALOGUE_PARSE', `the action span [${start}, ${end}) lies outside of ${show(text)}`)];
    }
    if (parsed.legal && (parsed.action === undefined || !env.actionSpace.contains(parsed.action))) {
      return [error('DIALOGUE_PARSE', `\`parse\` calls ${show(parsed.action)} legal, read from ${show(text)}`)];
    }
    return [];
  });
}

/** Checks that the expert's thoughts are not marked as wrong, and that an unusual thought causes no exception. */
function thoughtFindings(env: AnyEnv, context: PromptContext, demonstration: string): Finding[] {
  const dialogue = env.dialogue!;
  if (!dialogue.check) return [];
  try {
    for (const text of ODD_RESPONSES) dialogue.check(text, context.info);
    const { thoughtCorrect } = readResponse(dialogue, demonstration, context);
    if (thoughtCorrect !== false) return [];
    return [
      error('DIALOGUE_DEMONSTRATION', `\`check\` calls the thought of the demonstration ${show(demonstration)} wrong`),
    ];
  } catch (reason) {
    return [error('DIALOGUE_PARSE', `\`check\` threw ${show(String(reason))}`)];
  }
}

function tryParse(env: AnyEnv, text: string, context: PromptContext): ParsedResponse | Finding {
  try {
    const parsed = env.dialogue!.parse(text, context);
    if (Array.isArray(parsed?.spans?.action)) return parsed;
    return error('DIALOGUE_PARSE', `\`parse\` returned ${show(parsed)} without an action span for ${show(text)}`);
  } catch (reason) {
    return error('DIALOGUE_PARSE', `\`parse\` threw ${show(String(reason))} for ${show(text)}`);
  }
}

function demonstrationFindings(env: AnyEnv, context: PromptContext, action: unknown, text: string): Finding[] {
  const parsed = tryParse(env, text, context);
  if ('code' in parsed) return [parsed];
  const difference = firstDifference(action, parsed.action, 'action');
  if (parsed.legal && parsed.formatValid && difference === undefined) return [];
  const what = difference ?? (parsed.legal ? 'format not valid' : `not legal: ${parsed.reason}`);
  return [error('DIALOGUE_DEMONSTRATION', `\`parse\` does not understand the demonstration ${show(text)} (${what})`)];
}
