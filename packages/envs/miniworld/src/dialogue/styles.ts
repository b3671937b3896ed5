/**
 * How the worlds speak with a language model: a picture (or a description), then one text; the answer is one JSON object.
 *
 * - `plain-v1`: ours; the task, the actions of this environment, thoughts and action.
 * - `vl-dac-v1`, `-v2`, `-v3`: after corl-team/VL-DAC, `a2c_ppo_acktr/rl_utils.py`: the parts of its prompt in its order,
 *   up to four pictures, actions by number: 0 to 3, and more in worlds that cannot be solved with these. v1 asks for a description of keys as well, v2 and
 *   v3 for thoughts and action, v3 has a short task for the worlds with a red box. All words are our own.
 * - `compact-v1`: ours, for small models that are trained on one world: the prompt names the actions and no task. The
 *   answer says where the goal is, and the action.
 *
 * A changed word makes a new version, because scores under different prompts do not compare.
 */
export const DIALOGUE_STYLES = ['plain-v1', 'vl-dac-v1', 'vl-dac-v2', 'vl-dac-v3', 'compact-v1'] as const;
export type DialogueStyle = (typeof DIALOGUE_STYLES)[number];

/** VL-DAC offers four actions everywhere, the most that most worlds declare; the original executes any of the eight. */
export const VL_DAC_ACTIONS = 4;

export const isVlDac = (style: DialogueStyle): boolean => style.startsWith('vl-dac');
