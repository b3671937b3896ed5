/**
 * The thoughts of the household lesson: what is held or needed, and whether it is in sight. A model that has to say this at
 * every step looks for the object of the task in every text, and has its name and number at hand when it is to be taken.
 */
import { InvalidOptionError } from '@vlgym/core';

interface Task {
  readonly object: string;
  /** Class of the receptacle, or of the lamp. */
  readonly goal: string;
  readonly treatment?: string;
}

const TASK =
  /^(?:(?:put|find) two|(?:put|clean|heat|cool) (?:an?|some)(?: (clean|hot|cool))?|look at|examine the) (\w+) .*?(\w+)\.?$/;
const VERBS: Readonly<Record<string, string>> = { clean: 'clean', hot: 'heat', cool: 'cool' };

/** The player's knowledge from the texts so far. */
export class HouseholdNotes {
  readonly #task: Task;
  /** The last seen position of each object. */
  readonly #places = new Map<string, string>();
  readonly #treated = new Set<string>();
  #held: string | undefined;

  /** @param sentence  The task, as in the observation. */
  constructor(sentence: string) {
    const match = TASK.exec(sentence);
    if (!match) throw new InvalidOptionError('task', sentence, 'a task of generated households');
    const [, adjective, object, goal] = match;
    const treatment = adjective ? VERBS[adjective] : /^(clean|heat|cool) /.exec(sentence)?.[1];
    this.#task = { object: object!, goal: goal!, ...(treatment && { treatment }) };
  }

  /** @param text  The game's answer to an executed command. */
  see(command: string, text: string): void {
    const words = /^(go to|open|take|move|put|clean|heat|cool) (.+?)(?: (?:from|to|in\/on|with) (.+))?$/.exec(command);
    const [, verb, first, second] = words ?? [];
    if (verb === 'go to' || verb === 'open') {
      const shown = text.split('you see').at(-1)!;
      if (text.includes('you see'))
        for (const [name] of shown.matchAll(/\b[a-z]+ \d+/g)) this.#places.set(name, first!);
    } else if (verb === 'take') {
      this.#held = first;
      this.#places.delete(first!);
    } else if (verb === 'move' || verb === 'put') {
      this.#held = undefined;
      this.#places.set(first!, second!);
    } else if (verb) this.#treated.add(first!);
  }

  /** The thought before a command of the expert. */
  thought(command: string): string {
    const { object, goal, treatment } = this.#task;
    const held = this.#held;
    if (held === undefined) {
      const isSecond = [...this.#places].some(
        ([name, place]) => classOf(name) === object && this.#isSettled(name, place),
      );
      return `${isSecond ? 'second' : 'need'} ${object}: ${this.#sight(object, command)}.`;
    }
    if (classOf(held) !== object) return `hold ${held}, put away.`;
    if (goal.endsWith('lamp')) return `hold ${held}, need ${goal}: ${this.#sight(goal, command)}.`;
    if (treatment && !this.#treated.has(held)) return `hold ${held}, ${treatment} it.`;
    return `hold ${held}, put in ${goal}.`;
  }

  /** Whether the command is about a thing of the class that is here, or was seen elsewhere. */
  #sight(className: string, command: string): string {
    const named = /^(?:take|use) (\w+ \d+)/.exec(command)?.[1];
    if (named && classOf(named) === className) return `${named} here`;
    const target = /^(?:go to|open) (.+)$/.exec(command)?.[1];
    const known = [...this.#places].find(
      ([name, place]) => classOf(name) === className && place === target && !this.#isSettled(name, place),
    );
    return known ? `${known[0]} in ${known[1]}` : 'none here';
  }

  #isSettled(name: string, place: string): boolean {
    const { goal, treatment } = this.#task;
    return classOf(place) === goal && (!treatment || this.#treated.has(name));
  }
}

/** `soapbar 3` → `soapbar` */
export const classOf = (name: string): string => name.split(' ')[0]!;

export const answerWith = (thoughts: string, action: string): string => JSON.stringify({ thoughts, action });
