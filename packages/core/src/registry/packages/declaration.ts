/**
 * What an environment says about itself in addition to how it is built: names, where people play it, the two sides of its
 * content split, settings that train a small model, scores to compare with. All of it is plain data, apart from a guide that
 * depends on options.
 *
 * The command line, the play page, the report and the tests read it from the registration, so an environment of another
 * package needs no edit in ours. docs/your-environment.md shows each part.
 */

type Options = Readonly<Record<string, unknown>>;

export interface EnvDeclaration {
  /** Name for people, in lists and reports; the id where it is left out. */
  readonly title?: string | undefined;
  /** Other names on a command line, e.g. `blackjack`. Letter case does not matter. */
  readonly shortNames?: readonly string[] | undefined;
  /** Where people play it unless they choose; default `terminal`. */
  readonly surface?: EnvSurface | undefined;
  /** Goal, rules and score in plain sentences; a function where they depend on the options of the environment. */
  readonly guide?: EnvGuide | ((options: Options) => EnvGuide) | undefined;
  /** Options for people who play and choose none, e.g. hands that have a solution. Agents never get them. */
  readonly playOptions?: Options | undefined;
  /** Options that give one side of the content split each. Without it, training and evaluation share their tasks. */
  readonly splits?: EnvSplits | undefined;
  readonly training?: TrainingSettings | undefined;
  /** Measured scores of known agents. */
  readonly baselines?: readonly EnvBaseline[] | undefined;
}

/** A page shows pictures, keys and a map; a terminal shows text. */
export type EnvSurface = 'terminal' | 'page';

/**
 * Goal, rules and score of an environment for a person, before the first step. The play page, the terminal and `vlgym envs NAME` show it, so it is
 * written once. Each text is one to three sentences in the second person.
 */
export interface EnvGuide {
  /** The situation to be reached. */
  readonly goal: string;
  /** Possible actions, and those against the rules. */
  readonly rules: string;
  /** Gains and costs. */
  readonly score: string;
}

/** No task is in both. */
export interface EnvSplits {
  readonly train: Options;
  readonly test: Options;
}

/** The usual option `split`; see `SplitOption`. */
export const CONTENT_SPLITS: EnvSplits = { train: { split: 'train' }, test: { split: 'test' } };

/** Settings under which a small model learns the task on a CPU. Flags and config files override each one. */
export interface TrainingSettings {
  /** Options of the environment that suit the model, e.g. a small picture and short prompts. */
  readonly options?: Options | undefined;
  /** Updates of the policy. */
  readonly updates: number;
  /** Environment steps per update, over all environments. */
  readonly stepsPerUpdate: number;
  /** Environments played side by side. */
  readonly numEnvs: number;
  /** Updates between evaluations. */
  readonly evaluateEvery: number;
  /** Sampling temperature of evaluation; 0 is greedy. A greedy, memoryless policy can oscillate between two views forever. */
  readonly evaluationTemperature: number;
  readonly warmStart: WarmStart;
  /** Maximum length of a response, in tokens. */
  readonly maxNewTokens: number;
  /** Best return of the task; the critic works in units of it. */
  readonly rewardScale: number;
  /**
   * Options of algorithms that depend on the task, as plain data by section: discount, temperature, learning rate, batch,
   * rewards, early ends. What makes an algorithm that algorithm (clip bounds, KL, epochs, …) is not the environment's to
   * say, and is left out.
   */
  readonly overrides?: Options | undefined;
}

/** What the weights learn before they play. */
export type WarmStart = LabeledWarmStart | NoWarmStart;

/** Supervised learning from labels of a teacher. Where the teacher errs, imitation leaves something to learn from play. */
export interface LabeledWarmStart {
  /** The environment's `expert`, or else its `oracle`, in the words of `dialogue.demonstrate`. */
  readonly teacher: 'oracle';
  /**
   * Share of actions drawn at random among the legal ones, in [0, 1]. At 1 the labels say what is seen and nothing
   * about what to do: every later success was learned from play.
   */
  readonly mistakes: number;
  /** Labels, rounded up to whole batches. */
  readonly examples: number;
  /** Distinct episodes of the teacher; every one is new when left out. */
  readonly episodes?: number | undefined;
  /** Peak of the schedule. */
  readonly learningRate: number;
  /** Labels per optimizer step. */
  readonly batch: number;
}

/** Training starts from random weights. */
export interface NoWarmStart {
  readonly teacher: 'none';
}

/** A measured score under the registered options, over all tasks. */
export interface EnvBaseline {
  /** Who played, e.g. `random`, `oracle`, or a published model. */
  readonly agent: string;
  /** Share of episodes that end in success, in [0, 1]. */
  readonly successRate: number;
  /** Episodes behind it; absent where the source does not say. */
  readonly episodes?: number;
  /** How to measure it again, or the paper that reports it. */
  readonly source: string;
}
