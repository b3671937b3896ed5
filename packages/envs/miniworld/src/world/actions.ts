/** The actions of all tasks, in the order of the original. */

export const ACTIONS = [
  'turn left',
  'turn right',
  'move forward',
  'move back',
  'pick up',
  'drop',
  'toggle',
  'done',
] as const;

export const TURN_LEFT = 0;
export const TURN_RIGHT = 1;
export const MOVE_FORWARD = 2;
export const MOVE_BACK = 3;
export const PICK_UP = 4;
export const DROP = 5;
export const TOGGLE = 6;
