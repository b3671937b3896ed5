/** Listening with a token, and Host and Origin checked: for servers of other protocols. Its types speak of Node's streams. */
export { Admission, type Refusal } from './admission.js';
export { Listener, type ListenerOptions, refuseUpgrade } from './listener.js';
export type { HttpAnswer } from './messages.js';
