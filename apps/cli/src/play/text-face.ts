/**
 * The state in words, next to its picture: what the environment says itself (`describeState`), or else what its text mode
 * renders. An environment has one render mode, so its text mode is another environment that takes its snapshots.
 */
import { type AnyEnv, make } from '@vlgym/core';

export class TextFace {
  readonly #twin: AnyEnv | undefined;

  private constructor(twin?: AnyEnv) {
    this.#twin = twin;
  }

  static async open(env: AnyEnv): Promise<TextFace> {
    const { unwrapped, renderMode, spec } = env;
    const needsTwin = renderMode === 'rgb_array' && !unwrapped.describeState;
    const canHaveOne = unwrapped.metadata.renderModes.includes('ansi') && unwrapped.snapshot && unwrapped.restore;
    if (!needsTwin || !canHaveOne || !spec) return new TextFace();
    const twin = await make(spec, { renderMode: 'ansi' });
    await twin.reset({ seed: 0 }); // some environments build their world in reset
    return new TextFace(twin);
  }

  async of({ unwrapped }: AnyEnv): Promise<string | undefined> {
    if (unwrapped.describeState) return unwrapped.describeState();
    if (!this.#twin) return undefined;
    await this.#twin.unwrapped.restore!(await unwrapped.snapshot!());
    const text: unknown = await this.#twin.unwrapped.render();
    return typeof text === 'string' ? text.trim() : undefined;
  }

  async close(): Promise<void> {
    await this.#twin?.close();
  }
}
