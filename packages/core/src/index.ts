export * from './dialogue/dialogue.js';
export * from './env.js';
export * from './errors.js';
export * from './image.js';
export * from './registry/spec.js';
export * from './spaces/space.js';
export * from './trajectory/errors.js';
export * from './trajectory/schema.js';
