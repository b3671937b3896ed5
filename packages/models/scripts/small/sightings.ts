/**
 * Seeing what is looked for, next to a lesson of households: an episode has one moment at which the object of the task comes
 * into sight, and a model learns it last. Here a task is followed by what some receptacles of a household hold, and the
 * labels are to say of each that the object is not there, and to take it from the one that holds it.
 */
import type { AnyEnv, ChatMessage, Generator } from '@vlgym/core';
import { answerWith, classOf } from './household-notes.js';
import type { Example } from './lesson.js';

/** Tasks of one example, and receptacles that are looked into for one of them at most. */
const TASKS = 5;
const MAX_LOOKS = 4;
/** Receptacles of one example about what is where; objects asked for at each that are there, and as many that are not. */
const PLACES = 5;
const QUESTIONS = 4;

/** The sentences of generated households: `{o}` is the object, `{r}` a receptacle. */
const SENTENCES = [
  'put a {o} in {r}',
  'put some {o} on {r}',
  'look at {o} under the desklamp',
  'examine the {o} with the desklamp',
  'put a clean {o} in {r}',
  'clean some {o} and put it in {r}',
  'put a hot {o} in {r}',
  'heat some {o} and put it in {r}',
  'put a cool {o} in {r}',
  'cool some {o} and put it in {r}',
  'put two {o} in {r}',
  'find two {o} and put them in {r}',
];

interface Sight {
  readonly text: string;
  readonly receptacle: string;
  /** `soapbar 3`, by class; classes of which the receptacle holds one. */
  readonly objects: ReadonlyMap<string, string>;
  /** All classes that it holds. */
  readonly classes: ReadonlySet<string>;
}

interface Info {
  readonly admissibleCommands: readonly string[];
}

/** Undefined if a household has too little to see. */
export async function sighting(rng: Generator, env: AnyEnv): Promise<Example | undefined> {
  const sights = await lookAround(env, rng);
  const messages: ChatMessage[] = [];
  const answers: number[] = [];
  for (let task = 0; task < TASKS; task += 1) {
    const order = rng.permutation(sights.length).map((place) => sights[place]!);
    const found = order.findIndex(({ objects }) => objects.size > 0);
    if (found < 0) return undefined;
    const { objects, receptacle, text } = order[found]!;
    const [name, object] = [...objects][rng.integers(0, objects.size)]!;
    const others = order.filter(({ classes }, place) => place !== found && classes.size > 0 && !classes.has(name));
    const looks = [...others.slice(0, rng.integers(0, MAX_LOOKS)), { text, receptacle }];
    const goal = classOf(sights[rng.integers(0, sights.length)]!.receptacle);
    const sentence = SENTENCES[rng.integers(0, SENTENCES.length)]!.replace('{o}', name).replace('{r}', goal);
    for (const [i, look] of looks.entries()) {
      const content = i === 0 ? `Your task is to: ${sentence}.\n${look.text}` : look.text;
      messages.push({ role: 'user', content });
      answers.push(messages.length);
      const isLast = i === looks.length - 1;
      const answer = isLast
        ? answerWith(`need ${name}: ${object} here.`, `take ${object} from ${receptacle}`)
        : JSON.stringify({ thoughts: `need ${name}: none here.` });
      messages.push({ role: 'assistant', content: answer });
    }
  }
  return { messages: messages.slice(0, -1), response: String(messages.at(-1)!.content), answers: answers.slice(0, -1) };
}

/**
 * Positions of objects: texts of receptacles, each with objects that are there or elsewhere in the same household. One text
 * gives many answers, while an episode gives one.
 */
export async function whereabouts(rng: Generator, env: AnyEnv): Promise<Example | undefined> {
  const all = (await lookAround(env, rng)).filter(({ objects }) => objects.size > 1);
  const names = [...new Set(all.flatMap(({ classes }) => [...classes]))];
  const sights = rng
    .permutation(all.length)
    .slice(0, PLACES)
    .map((place) => all[place]!);
  if (sights.length === 0) return undefined;
  let response = '';
  const labels: [number, number][] = [];
  for (const { text, objects, classes } of sights) {
    response += `${text}\n`;
    const some = (from: readonly string[]) =>
      rng
        .permutation(from.length)
        .slice(0, QUESTIONS)
        .map((place) => from[place]!);
    const asked = [...some([...objects.keys()]), ...some(names.filter((name) => !classes.has(name)))];
    for (const place of rng.permutation(asked.length)) {
      const name = asked[place]!;
      const object = objects.get(name);
      response += `need ${name}:`;
      const answer = object ? ` ${object} here.` : ' none here.';
      labels.push([response.length, response.length + answer.length]);
      response += `${answer} `;
    }
    response += '\n';
  }
  return { messages: [{ role: 'user', content: 'What is where?' }], response, labels };
}

/** The contents of the receptacles of a new household, as far as the step limit allows. */
async function lookAround(env: AnyEnv, rng: Generator): Promise<Sight[]> {
  let { observation, info } = await env.reset({ seed: rng.integers(0, 2 ** 31) });
  let isOver = false;
  const commands = () => (info as unknown as Info).admissibleCommands;
  const step = async (command: string) => {
    const result = await env.step(command);
    ({ observation, info } = result);
    isOver = result.terminated || result.truncated;
  };
  const sights: Sight[] = [];
  for (const command of commands().filter((each) => each.startsWith('go to '))) {
    const receptacle = command.slice('go to '.length);
    await step(command);
    if (!isOver && commands().includes(`open ${receptacle}`)) await step(`open ${receptacle}`);
    if (isOver) break;
    const names = commands().flatMap((each) => /^take (.+) from /.exec(each)?.[1] ?? []);
    const classes = names.map(classOf);
    const single = names.filter((name) => classes.filter((each) => each === classOf(name)).length === 1);
    sights.push({
      text: textOf(observation),
      receptacle,
      objects: new Map(single.map((name) => [classOf(name), name])),
      classes: new Set(classes),
    });
  }
  return sights;
}

const textOf = (observation: unknown): string =>
  typeof observation === 'string' ? observation : (observation as { readonly text: string }).text;
