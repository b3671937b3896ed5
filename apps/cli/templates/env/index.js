/** MyName: one half of the picture is bright; say which. Replace the rules, keep the shape. */
import { BaseEnv, parseResponse, register, spaces } from '@vlgym/core';

const [SIZE, ACTIONS] = [56, ['left', 'right']];
const QUESTION = '\nWhich half is bright? JSON key: action.';

export class MyName extends BaseEnv {
  metadata = { renderModes: [] };
  observationSpace = spaces.image({ height: SIZE, width: SIZE });
  actionSpace = spaces.discrete(ACTIONS.length, { labels: ACTIONS });
  dialogue = {
    version: 'my-name-v0',
    prompt: ({ observation: image }) => [
      {
        role: 'user',
        content: [
          { type: 'image', image },
          { type: 'text', text: QUESTION },
        ],
      },
    ],
    parse: (text) => parseResponse(text, { actions: ACTIONS, requiredKeys: [] }),
    demonstrate: (_, action) => `{"action": "${ACTIONS[action]}"}`,
  };
  reset({ seed } = {}) {
    if (seed !== undefined) this.reseed(seed);
    this.side = this.rng.integers(2);
    return { observation: this.picture(), info: {} };
  }
  step(action) {
    return {
      observation: this.picture(),
      reward: action === this.side ? 1 : 0,
      terminated: true,
      truncated: false,
      info: {},
    };
  }
  oracle = () => this.side;
  picture() {
    const bright = (byte) => Math.floor((Math.floor(byte / 3) % SIZE) / (SIZE / 2)) === this.side;
    const data = Uint8Array.from({ length: SIZE * SIZE * 3 }, (_, byte) => (bright(byte) ? 220 : 30));
    return { data, height: SIZE, width: SIZE, channels: 3 };
  }
}

register({ id: 'my/MyName-v0', title: 'My name', entryPoint: () => new MyName(), maxEpisodeSteps: 4 });
