/** MyName: one half of the picture is bright; say which. Replace the rules, keep the shape. */
import { BaseEnv, parseResponse, register, spaces } from '@vlgym/core';

const ACTIONS = ['left', 'right'];
const QUESTION = { type: 'text', text: '\nWhich half is bright? JSON key: action.' };

export class MyName extends BaseEnv {
  metadata = { renderModes: [] };
  observationSpace = spaces.image({ height: 56, width: 56 });
  actionSpace = spaces.discrete(ACTIONS.length, { labels: ACTIONS });
  dialogue = {
    version: 'my-name-v0',
    prompt: ({ observation: image }) => [{ role: 'user', content: [{ type: 'image', image }, QUESTION] }],
    parse: (text) => parseResponse(text, { actions: ACTIONS, requiredKeys: [] }),
    demonstrate: (_, action) => `{"action": "${ACTIONS[action]}"}`,
  };
  reset({ seed } = {}) {
    if (seed !== undefined) this.reseed(seed);
    this.side = this.rng.integers(2);
    return { observation: this.draw(), info: {} };
  }
  step(action) {
    this.checkAction(action);
    return { observation: this.draw(), reward: +(action === this.side), terminated: true, truncated: false, info: {} };
  }
  /** Rows of 56 pixels with 3 bytes each. */
  draw() {
    const data = Uint8Array.from({ length: 56 * 168 }, (_, byte) => (byte % 168 < 84 === (this.side === 0) ? 220 : 30));
    return { data, height: 56, width: 56, channels: 3 };
  }
  oracle = () => this.side;
}

register({ id: 'my/MyName-v0', title: 'My name', entryPoint: () => new MyName(), maxEpisodeSteps: 4 });
