/** Grammars that constrain answers. */
export { GrammarTooLargeError } from './automaton.js';
export { type JsonSchema, JsonSchemaError } from './json-schema.js';
export { jsonOf, oneOf, TextGrammar } from './text-grammar.js';
