/** JSON Schemas of the two faces, for `GET /schema`. They hold no reference that leaves the document. */
import type { AnyEnv } from '@vlgym/core';
import type { EndpointSchemas, JsonObject } from './endpoint.js';
import { PICTURE_SCHEMA } from './pictures.js';

export const FACES = ['text', 'native'] as const;
export type Face = (typeof FACES)[number];

const METADATA: JsonObject = { type: 'object', title: 'Metadata', additionalProperties: true };
const RESULT: JsonObject = {
  done: { type: 'boolean', title: 'Done', default: false, description: 'Whether the episode has ended' },
  reward: { anyOf: [{ type: 'number' }, { type: 'null' }], title: 'Reward', default: null },
  metadata: { ...METADATA, description: 'info, terminated, truncated, reward parts, legality of the response' },
};

const TEXT_ACTION: JsonObject = {
  type: 'object',
  title: 'VlgymTextAction',
  // exactly one required field: adapters put a reply that is not JSON under it
  properties: {
    text: { type: 'string', title: 'Text', description: 'The response, as the prompt asks for it' },
    metadata: METADATA,
  },
  required: ['text'],
  additionalProperties: true,
};

const PART: JsonObject = {
  anyOf: [
    { type: 'object', properties: { type: { const: 'text' }, text: { type: 'string' } }, required: ['type', 'text'] },
    { type: 'object', properties: { type: { const: 'image' }, image: PICTURE_SCHEMA }, required: ['type', 'image'] },
  ],
};

const TEXT_OBSERVATION: JsonObject = {
  type: 'object',
  title: 'VlgymTextObservation',
  properties: {
    messages: {
      type: 'array',
      description: 'the prompt, ready for a chat model',
      items: {
        type: 'object',
        properties: {
          role: { enum: ['system', 'user', 'assistant'] },
          content: { type: 'array', items: PART },
        },
        required: ['role', 'content'],
      },
    },
    text: { type: 'string', description: 'the words of the messages' },
    images: { type: 'array', items: PICTURE_SCHEMA, description: 'the pictures of the messages' },
    ...RESULT,
  },
  required: ['messages', 'text', 'images'],
};

const STATE: JsonObject = {
  type: 'object',
  title: 'VlgymState',
  additionalProperties: true,
  properties: {
    episode_id: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
    step_count: { type: 'integer', minimum: 0, default: 0 },
    env: { type: 'string' },
    seed: { anyOf: [{ type: 'integer', minimum: 0 }, { type: 'null' }] },
    return: { type: 'number' },
    terminated: { type: 'boolean' },
    truncated: { type: 'boolean' },
  },
};

export function faceSchemas(face: Face, { actionSpace, observationSpace }: AnyEnv): EndpointSchemas {
  const observation = face === 'text' ? TEXT_OBSERVATION : nativeObservation(observationSpace.toJsonSchema());
  const action = face === 'text' ? TEXT_ACTION : nativeAction(actionSpace.toJsonSchema());
  return { action, observation, state: STATE, reset_observation: observation };
}

const nativeAction = (action: unknown): JsonObject => ({
  type: 'object',
  title: 'VlgymNativeAction',
  properties: { action, metadata: METADATA },
  required: ['action'],
  additionalProperties: false,
});

const nativeObservation = (value: unknown): JsonObject => ({
  type: 'object',
  title: 'VlgymNativeObservation',
  properties: { value, mask: { type: 'array', items: { enum: [0, 1] }, description: 'allowed actions' }, ...RESULT },
  required: ['value'],
});
