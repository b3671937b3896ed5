/**
 * The words of VAGEN's prompts: functional strings of mll-lab-nu/VAGEN (MIT) at 2936322a, `vagen/envs/sokoban/utils/prompt.py` and
 * `vagen/envs/frozenlake/utils/prompt.py`. `{max}` is the number of actions in a turn. `test/golden/vagen.json.gz` pins their hashes.
 */
import type { VagenFormat } from './parse.js';

export interface VagenWords {
  readonly system: string;
  /** The form of an answer, with three examples after it. */
  readonly formats: Readonly<Partial<Record<VagenFormat, { readonly form: string; readonly examples: string }>>>;
}

/** Before and after the picture or its text. */
export const INITIAL = ['[Initial Observation]:\n', '\nDecide your next action(s).'] as const;
export const AFTER = [
  'After your answer, the extracted valid action is {actions}.\nAfter that, the observation is:\n',
  '\nDecide your next action(s).',
] as const;

export const SOKOBAN_WORDS: VagenWords = {
  system: `You are a Sokoban solver.
Sokoban Quick Guide
Goal: Push all boxes onto targets.
Symbols (If image is provided there are no symbols):
# Wall | _ Floor | O Target | X Box | P You | √ Box on Target | S You on Target
Rules:
1. Push boxes (can't pull).
2. Avoid walls.
Actions you can take: Left, Down, Right, Up.`,
  formats: {
    free_think: {
      form: `You can take up to {max} action(s) at a time, separated by ,.
You should first give your reasoning, and then your answer.
Your response should be in the format of:
<think>...</think><answer>...</answer>`,
      examples: `

Example 1:
<think>The box is one step below me, and the target is two steps below me. I should go down to reach the box and then push it down to the target.</think>
<answer>Down</answer>

Example 2:
<think>The box is to the right of me, and the target is further to the right. I need to move right to get behind the box and push it toward the target.</think>
<answer>Right</answer>

Example 3:
<think>The box is above me, and the target is above the box. I should move up to reach the box and then push it upward to the target.</think>
<answer>Up</answer>
`,
    },
    wm: {
      form: `You can take up to {max} action(s) at a time, separated by ,.
Your response must be in the format of:
<observation>...</observation><think>...</think><answer>...</answer><prediction>...</prediction>.

Rules for <observation> and <prediction>:
- You must strictly describe the relative position of the \`target\` and any visible \`box\` objects **relative to the player**.
- For each object, you MUST include:
  - exactly ONE vertical relationship: \`above\`, \`below\`, or \`same row\`
  - exactly ONE horizontal relationship: \`left\`, \`right\`, or \`same column\`
- Use ONLY the terms: \`above\`, \`below\`, \`same row\`, \`left\`, \`right\`, \`same column\`.
- Always use the phrasing pattern:
  "X is <vertical> and <horizontal> of the player".
- Do NOT use the word \`same\` alone.
- Do not include any extra information.

Rules for <answer>:
- Output 1 to {max} action(s).
- Valid actions are: Up, Down, Left, Right.
- Separate multiple actions with \`,\`.
`,
      examples: `

Example 1:
<observation>The box is below and right of the player, and the target is below and right of the player</observation>
<think>I should move right to align my column with the box and the target</think>
<answer>Right</answer>
<prediction>The box will be below and same column of the player, and the target will be below and same column of the player</prediction>

Example 2:
<observation>The box is above and left of the player, and the target is above and same column of the player</observation>
<think>I should move up to align my row with the box and reach the target's row position</think>
<answer>Up</answer>
<prediction>The box will be same row and left of the player, and the target will be same row and same column of the player</prediction>

Example 3:
<observation>The box is same row and right of the player, and the target is same row and left of the player</observation>
<think>I should move right to push the box right while keeping the target on my left</think>
<answer>Right</answer>
<prediction>The box will be same row and right of the player, and the target will be same row and left of the player</prediction>
`,
    },
    free_wm: {
      form: `You can take up to {max} action(s) at a time, separated by ,.
Your response must be in the format of:
<observation>...</observation> your reasoning <answer>...</answer> your reasoning <prediction>...</prediction>.

You may include free-form reasoning text between the tags.

Rules for <observation> and <prediction>:
- You must strictly describe the relative position of the \`target\` and any visible \`box\` objects **relative to the player**.
- For each object, you MUST include:
  - exactly ONE vertical relationship: \`above\`, \`below\`, or \`same row\`
  - exactly ONE horizontal relationship: \`left\`, \`right\`, or \`same column\`
- Use ONLY the terms: \`above\`, \`below\`, \`same row\`, \`left\`, \`right\`, \`same column\`.
- Always use the phrasing pattern:
  "X is <vertical> and <horizontal> of the player".
- Do NOT use the word \`same\` alone.
- Do not include any extra information.

Rules for <answer>:
- Output 1 to {max} action(s).
- Valid actions are: Up, Down, Left, Right.
- Separate multiple actions with \`,\`.
`,
      examples: `

Example 1:
<observation>The box is below and right of the player, and the target is below and right of the player</observation>
I should move right to align my column with the box and the target.
<answer>Right</answer>
After moving right, the box and target should still be below me but now in the same column.
<prediction>The box will be below and same column of the player, and the target will be below and same column of the player</prediction>

Example 2:
<observation>The box is above and left of the player, and the target is above and same column of the player</observation>
I should move up to align my row with the box and reach the target's row position.
<answer>Up</answer>
After moving up, the box should be on the same row to my left, and the target on the same row in the same column.
<prediction>The box will be same row and left of the player, and the target will be same row and same column of the player</prediction>

Example 3:
<observation>The box is same row and right of the player, and the target is same row and left of the player</observation>
I should move right to push the box right while keeping the target on my left.
<answer>Right</answer>
After pushing right, the box stays to my right and the target stays to my left.
<prediction>The box will be same row and right of the player, and the target will be same row and left of the player</prediction>
`,
    },
  },
};

export const LAKE_WORDS: VagenWords = {
  system: `You are a FrozenLake solver.
FrozenLake Quick Guide
Goal: Reach the goal (G).
Symbols (If image is provided there are no symbols):
_ Frozen | O Hole | G Goal | P Player | X Player fell into hole | V Player on goal
Rules:
1. Avoid falling into holes.
2. Frozen tiles are slippery, you may move perpendicular to your intended direction.
Actions you can take: Left, Down, Right, Up.`,
  formats: {
    free_think: {
      form: `You can take up to {max} action(s) at a time, separated by ,.
You should first give your reasoning, and then your answer.
Your response should be in the format of:
<think>...</think><answer>...</answer>`,
      examples: `

Example 1:
<think>The goal is below me. I should go down to reach it while avoiding the hole on my left.</think>
<answer>Down</answer>

Example 2:
<think>The goal is to my right and there's a hole directly below me. I should go right first to avoid the hole.</think>
<answer>Right</answer>

Example 3:
<think>I can see the goal is up and to the left. I should move up first to get closer.</think>
<answer>Up</answer>
`,
    },
    wm: {
      form: `You can take up to {max} action(s) at a time, separated by ,.
Your response must be in the format of:
<observation>...</observation><think>...</think><answer>...</answer><prediction>...</prediction>.

Rules for <observation> and <prediction>:
- You must strictly describe the relative position of the \`goal\` and any visible \`hole\` objects **relative to the player**.
- For each object, you MUST include:
  - exactly ONE vertical relationship: \`above\`, \`below\`, or \`same row\`
  - exactly ONE horizontal relationship: \`left\`, \`right\`, or \`same column\`
- Use ONLY the terms: \`above\`, \`below\`, \`same row\`, \`left\`, \`right\`, \`same column\`.
- Always use the phrasing pattern:
  "X is <vertical> and <horizontal> of the player".
- Do NOT use the word \`same\` alone.
- Do not include any extra information.

Rules for <answer>:
- Output 1 to {max} action(s).
- Valid actions are: Up, Down, Left, Right.
- Separate multiple actions with \`,\`.`,
      examples: `

Example 1:
<observation>The goal is below and right of the player, and there is a hole below and same column of the player</observation>
<think>I should move right to avoid the hole and get closer to the goal</think>
<answer>Right</answer>
<prediction>The goal will be below and same column of the player, and the hole will be below and left of the player</prediction>

Example 2:
<observation>The goal is above and left of the player</observation>
<think>I should move up to get closer to the goal</think>
<answer>Up</answer>
<prediction>The goal will be same row and left of the player</prediction>

Example 3:
<observation>The goal is same row and right of the player, and there is a hole above and right of the player</observation>
<think>I should move right to reach the goal</think>
<answer>Right</answer>
<prediction>The player will reach the goal</prediction>
`,
    },
  },
};
