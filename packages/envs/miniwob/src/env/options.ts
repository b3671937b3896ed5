/** Options of the environment. */
import { option, type RenderMode, SPLITS, type Split } from '@vlgym/core';
import { z } from 'zod';
import { KINDS, TASKS, type TaskKind } from '../tasks/tasks.js';

const MINIWOB_STYLES = ['browsergym-v1', 'json-v1', 'compact-v1'] as const;
export type MiniWoBStyle = (typeof MINIWOB_STYLES)[number];

export interface MiniWoBOptions {
  /** One task, e.g. `click-button`; default: a task is drawn for each episode. */
  readonly task?: string | undefined;
  /** Draw only tasks of this kind. */
  readonly kind?: TaskKind | undefined;
  /** Draw only tasks up to this level: 1 is a click or a field, 2 several steps, 3 search, geometry or reasoning. */
  readonly level?: number | undefined;
  /** Content of prompts: `both` (default), `text` takes no pictures, `picture` names no elements. */
  readonly observation?: 'both' | 'text' | 'picture' | undefined;
  /** Default `browsergym-v1`. */
  readonly dialogue?: MiniWoBStyle | undefined;
  /** `raw` (default) has no time limit; `original` has it, and what is gained shrinks with the time of the page's clock. */
  readonly reward?: 'raw' | 'original' | undefined;
  /** Distribution that some pages draw from, as `data_mode` of the original; default `train`. */
  readonly dataMode?: 'train' | 'test' | undefined;
  readonly split?: Split | undefined;
  /** Chromium's path; default: found. */
  readonly executablePath?: string | undefined;
  /** Chromium's own sandbox; default false, because containers rarely allow it. */
  readonly sandbox?: boolean | undefined;
  /** Milliseconds until a page that does not answer counts as lost; default 30,000. */
  readonly timeout?: number | undefined;
  readonly renderMode?: RenderMode | undefined;
}

export const optionsSchema = z.strictObject({
  task: option.oneOf([...TASKS.keys()]).optional(),
  kind: option.oneOf(KINDS).optional(),
  level: option.integer(1, 3).optional(),
  observation: option.oneOf(['both', 'text', 'picture']).optional(),
  dialogue: option.oneOf(MINIWOB_STYLES).optional(),
  reward: option.oneOf(['raw', 'original']).optional(),
  dataMode: option.oneOf(['train', 'test']).optional(),
  split: option.oneOf(SPLITS).optional(),
  executablePath: option.path('the path of Chromium').optional(),
  sandbox: option.boolean().optional(),
  timeout: option.integer(100, 120_000).optional(),
  renderMode: option.renderMode().optional(),
} satisfies Record<keyof MiniWoBOptions, z.ZodType>);
