/** @vlgym/site/text: pages as text, forms of answers and tools; loads no browser. */
export { executable } from './dialogue/executable.js';
export { DIALOGUE_STYLES, type DialogueStyle, FORMATS } from './dialogue/styles.js';
export { type ActionTool, tool } from './dialogue/tools.js';
export { type Child, type Element, plainText, type TextNode, textNodes } from './page/page-text.js';
