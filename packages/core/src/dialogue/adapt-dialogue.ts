/**
 * A dialogue that changes what another one sees or says. Everything else stays, also members that this file does not know:
 * without `choices` a random fallback would draw characters, without `tools` a model would get no action to call.
 */
import type { Info } from '../env.js';
import type { ChatMessage, Dialogue, PromptContext } from './dialogue.js';

export interface DialogueChanges<Observation, I extends Info, Action, InnerObservation, InnerInfo extends Info> {
  readonly version?: string | undefined;
  /** The context that the inner dialogue gets. */
  readonly context?:
    | ((context: PromptContext<Observation, Action, I>) => PromptContext<InnerObservation, Action, InnerInfo>)
    | undefined;
  /** The messages that its prompt becomes. */
  readonly messages?:
    | ((messages: ChatMessage[], context: PromptContext<Observation, Action, I>) => ChatMessage[])
    | undefined;
}

/**
 * @example
 * const shorter = adaptDialogue(dialogue, {
 *   version: `${dialogue.version}+last-turn`,
 *   context: (context) => ({ ...context, history: context.history.slice(-1) }),
 * });
 */
export function adaptDialogue<
  InnerObservation,
  Action,
  InnerInfo extends Info,
  Observation = InnerObservation,
  I extends Info = InnerInfo,
>(
  inner: Dialogue<InnerObservation, Action, InnerInfo>,
  { version = inner.version, context, messages }: DialogueChanges<Observation, I, Action, InnerObservation, InnerInfo>,
): Dialogue<Observation, Action, I> {
  type Context = PromptContext<Observation, Action, I>;
  const seen = (given: Context) =>
    context ? context(given) : (given as unknown as ReturnType<NonNullable<typeof context>>);
  const { choices, demonstrate } = inner;
  const changed: Dialogue<Observation, Action, I> = {
    version,
    prompt: (given) => {
      const said = inner.prompt(seen(given));
      return messages ? messages(said, given) : said;
    },
    parse: (text, given) => inner.parse(text, given && seen(given)),
    ...(choices && { choices: (given: Context) => choices.call(inner, seen(given)) }),
    ...(demonstrate && {
      demonstrate: (given: Context, action: Action) => demonstrate.call(inner, seen(given), action),
    }),
  };
  return Object.defineProperties({} as Dialogue<Observation, Action, I>, {
    ...membersOf(inner),
    ...Object.getOwnPropertyDescriptors(changed),
  });
}

/** Own and inherited members, which read and call `inner` itself: its methods may use private fields. */
function membersOf(inner: object): PropertyDescriptorMap {
  const members: PropertyDescriptorMap = {};
  for (let layer = inner; layer && layer !== Object.prototype; layer = Object.getPrototypeOf(layer) as object) {
    for (const key of Reflect.ownKeys(layer)) {
      if (key === 'constructor' || Object.hasOwn(members, key)) continue;
      const get = () => {
        const value: unknown = Reflect.get(inner, key);
        return typeof value === 'function' ? value.bind(inner) : value;
      };
      members[key as string] = { get, enumerable: true, configurable: true };
    }
  }
  return members;
}
