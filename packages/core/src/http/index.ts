/** The HTTP server under every network face of this repository. Its declarations need the types of Node. */
export { Listener, type ListenerOptions } from './listener.js';
export { type HttpAnswer, type HttpRequest, html, json, plain, RefusedRequest } from './messages.js';
export { jsonObject, PrivatePage } from './page.js';
