/** The settings of a run by dotted names, each with who set it, and what differs between two runs. */
import type { ConfigDifference } from '../compare/comparison.js';
import type { Setting } from '../protocol.js';
import { type Json, record, text } from './values.js';

const MAX_SETTINGS = 500;

/** Say where a run lies and what was typed, not what it is. */
const PLACES = new Set(['folder', 'start', 'origins', 'given', 'resume', 'printConfig', 'departures']);

/** @param file  `run.json`. */
export function settingsOf(file: Json): Setting[] {
  const effective = record(file.effective);
  const origins = record(effective.origins);
  return flat(effective).map(({ name, value }) => {
    const origin = originOf(origins, name);
    return { name, value, ...(origin !== undefined && { origin }) };
  });
}

/** Agent, environment and rules of a recording. @param header  That of one of its episodes. */
export function recordedSettings({ env, agent, dialogue, options, metadata }: Json): Setting[] {
  const { agent: identity, repeat: _, branch: __, arena: ___, ...rules } = record(metadata);
  const known = {
    agent: { ...record(identity), ...record(agent) },
    environment: env,
    dialogue,
    resetOptions: options,
    ...rules,
  };
  return flat(Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)));
}

function flat(value: Json): Setting[] {
  const settings: Setting[] = [];
  flatten(value, '', (name, each) => {
    if (settings.length < MAX_SETTINGS) settings.push({ name, value: each });
  });
  return settings;
}

function flatten(value: Json, prefix: string, add: (name: string, value: string) => void): void {
  for (const [key, each] of Object.entries(value)) {
    if (prefix === '' && PLACES.has(key)) continue;
    const name = prefix === '' || prefix === 'config' ? key : `${prefix}.${key}`;
    const isObject = typeof each === 'object' && each !== null && !Array.isArray(each);
    if (isObject && Object.keys(each).length > 0) flatten(each as Json, name, add);
    else add(name, typeof each === 'string' ? each : JSON.stringify(each));
  }
}

function originOf(origins: Json, name: string): string | undefined {
  const [first = ''] = name.split('.');
  return text(origins[name]) ?? text(origins[first]);
}

/** Settings that two runs do not share. */
export function differencesOf(first: readonly Setting[], second: readonly Setting[]): ConfigDifference[] {
  const [a, b] = [first, second].map((settings) => new Map(settings.map(({ name, value }) => [name, value])));
  const names = [...new Set([...a!.keys(), ...b!.keys()])];
  return names.flatMap((name) => {
    const [one, other] = [a!.get(name), b!.get(name)];
    if (one === other) return [];
    return [{ name, ...(one !== undefined && { first: one }), ...(other !== undefined && { second: other }) }];
  });
}
