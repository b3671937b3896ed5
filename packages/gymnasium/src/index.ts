export { encodeFrame, FrameReader, NdArray, PROTOCOL } from './frames/codec.js';
