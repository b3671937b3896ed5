/**
 * The dialogue styles. A prompt is a picture (or a description) followed by one text; the response is one JSON object.
 *
 * - `plain-v1`: from this package. The prompt has the task and the actions; the response has thoughts and action.
 * - `vl-dac-v1`, `-v2`, `-v3`: follow corl-team/VL-DAC, `a2c_ppo_acktr/rl_utils.py`: the parts of its prompt in the same
 *   order, up to four pictures, and numbered actions: 0 to 3, and more in worlds that require them. v1 also asks for a
 *   description of keys, v2 and v3 for thoughts and action, and v3 has a short task in worlds with a red box. The wording
 *   is our own.
 * - `compact-v1`: from this package, for small models that are trained on one world. The prompt lists the actions and no
 *   task; the response has the position of the goal and the action.
 *
 * Any change of words needs a new version, because scores under different prompts are not comparable.
 */
export const DIALOGUE_STYLES = ['plain-v1', 'vl-dac-v1', 'vl-dac-v2', 'vl-dac-v3', 'compact-v1'] as const;
export type DialogueStyle = (typeof DIALOGUE_STYLES)[number];

/** VL-DAC offers four actions in every world; the original environment executes any of the eight. */
export const VL_DAC_ACTIONS = 4;

export const isVlDac = (style: DialogueStyle): boolean => style.startsWith('vl-dac');
