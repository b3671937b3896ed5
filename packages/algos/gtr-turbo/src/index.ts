export { gtrTurboKl, gtrTurboSft, presets } from './presets.js';
