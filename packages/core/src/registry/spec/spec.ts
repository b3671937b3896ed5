/** An environment as data: enough to build it again, wrappers included, here or in another process. */
import type { RenderMode } from '../../info.js';

export interface WrapperSpec {
  /** Name under which the wrapper is registered, e.g. `timeLimit`. */
  readonly name: string;
  readonly options?: Readonly<Record<string, unknown>>;
}

export interface EnvSpec {
  /** `[namespace/]name[-vN]` */
  readonly id: string;
  /** Module whose import registers the id, e.g. `@vlgym/points24`; workers import it. */
  readonly module?: string | undefined;
  /** Options of the environment's constructor, as JSON data. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  readonly renderMode?: RenderMode | undefined;
  /** Steps after which `timeLimit` truncates; -1 for none. */
  readonly maxEpisodeSteps?: number | undefined;
  /** Return at which the task counts as solved. */
  readonly rewardThreshold?: number | undefined;
  /** True if equal seeds may give different episodes. */
  readonly nondeterministic?: boolean | undefined;
  readonly orderEnforce?: boolean | undefined;
  readonly disableChecker?: boolean | undefined;
  /** Further wrappers, innermost first. */
  readonly wrappers?: readonly WrapperSpec[] | undefined;
}
