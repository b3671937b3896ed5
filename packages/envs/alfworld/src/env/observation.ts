/** The observation of an agent: pictures, and a configurable part of the game's text. */
import type { Image } from '@vlgym/core';

export const OBSERVATION_STYLES = ['raw', 'no-welcome', 'strip-loc'] as const;

/**
 * `raw`: byte for byte what the game says. `no-welcome`: the introduction without its first line. `strip-loc`: also
 * without `You arrive at loc 12. ` of old games, as AgentBench, ReAct and AgentGym do.
 */
export type ObservationStyle = (typeof OBSERVATION_STYLES)[number];

const WELCOME = /^-= Welcome to TextWorld, ALFRED! =-\n\n/;
const ARRIVAL = /^You arrive at loc .*?\. /;

export function styled(text: string, style: ObservationStyle): string {
  if (style === 'raw') return text;
  const body = text.replace(WELCOME, '');
  return style === 'strip-loc' ? body.replace(ARRIVAL, '') : body;
}

/** The sentence of an introduction, without `Your task is to: ` and the line breaks around. */
export function taskSentence(introduction: string): string {
  const marker = 'Your task is to: ';
  const start = introduction.lastIndexOf(marker);
  return start < 0 ? '' : introduction.slice(start + marker.length).trim();
}

/** A text, a picture, or both. */
export type HouseholdObservation = string | Image | { readonly text: string; readonly image: Image };
