/** The HTTP server under every network face of this repository. Its declarations need the types of Node. */
export { isSecret } from './admission.js';
export { Listener, type ListenerOptions } from './listener.js';
export { type HttpAnswer, type HttpRequest, html, json, plain, RefusedRequest } from './messages.js';
export { jsonObject, pageHeaders } from './page.js';
