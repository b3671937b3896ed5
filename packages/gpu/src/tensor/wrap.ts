/** `wrap` for everybody but the layers of `Tensor` themselves: importing it makes sure that the class is there. */
import './tensor.js';

export { wrap, wrapAll } from './core.js';
