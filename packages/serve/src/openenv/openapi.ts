/** The OpenAPI document of an endpoint: the paths that are served, with the schemas of `GET /schema`. */
import type { EndpointSchemas, JsonObject } from './endpoint.js';

const json = (schema: JsonObject) => ({ 'application/json': { schema } });
const answer = (description: string, schema: JsonObject = { type: 'object' }) => ({
  '200': { description, content: json(schema) },
});
const get = (summary: string, schema?: JsonObject) => ({ get: { summary, responses: answer(summary, schema) } });
const post = (summary: string, properties: JsonObject, required: readonly string[], schema?: JsonObject) => ({
  post: {
    summary,
    requestBody: {
      required: required.length > 0,
      content: json({ type: 'object', properties, required, additionalProperties: true }),
    },
    responses: { ...answer(summary, schema), '422': { description: 'The body does not have this form.' } },
  },
});

const SPLIT = { split: { type: 'string' } };
const envName = { parameters: [{ name: 'env_name', in: 'path', required: true, schema: { type: 'string' } }] };

export function openApi({ action, observation, state, reset_observation }: EndpointSchemas, simulation: boolean) {
  const result = (schema: JsonObject): JsonObject => ({
    type: 'object',
    properties: {
      observation: schema,
      reward: { anyOf: [{ type: 'number' }, { type: 'null' }] },
      done: { type: 'boolean' },
      metadata: { anyOf: [{ type: 'object' }, { type: 'null' }] },
    },
    required: ['observation', 'reward', 'done'],
  });
  const id = { type: 'string', maxLength: 255 };
  const simulationPaths = {
    '/reset': post(
      'Reset a fresh environment once',
      { seed: { type: 'integer', minimum: 0 }, episode_id: id },
      [],
      result(reset_observation),
    ),
    '/step': post(
      'Step a fresh environment once',
      { action, timeout_s: { type: 'number', exclusiveMinimum: 0 }, request_id: id },
      ['action'],
      result(observation),
    ),
    '/state': get('The state of a fresh environment', state),
  };
  const list = { type: 'array', items: { type: 'object' } };
  return {
    openapi: '3.1.0',
    info: { title: 'OpenEnv Environment HTTP API', version: '1.0.0' },
    paths: {
      '/list_environments': get('Names of the environments', { type: 'array', items: { type: 'string' } }),
      '/{env_name}/splits': { ...get('Splits of the tasks', list), ...envName },
      '/{env_name}/tasks': { ...post('Tasks of a split', SPLIT, ['split']), ...envName },
      '/{env_name}/num_tasks': { ...post('Number of tasks of a split', SPLIT, ['split']), ...envName },
      '/{env_name}/task': {
        ...post('One task', { ...SPLIT, index: { type: 'integer' } }, ['split', 'index']),
        ...envName,
      },
      '/{env_name}/task_range': {
        ...post('Some tasks', { ...SPLIT, start: { type: 'integer' }, stop: { type: 'integer' } }, ['split']),
        ...envName,
      },
      ...(simulation ? simulationPaths : {}),
      '/metadata': get('What is served'),
      '/health': get('Whether the server works'),
      '/schema': get('JSON Schemas of action, observation and state'),
      '/mcp': post('JSON-RPC: tools and sessions', {}, []),
    },
  };
}

/** A plain page in place of the interactive ones: it loads nothing from elsewhere. */
export const docsPage = (name: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>OpenEnv</title><h1>${name
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')}</h1><p>The API is described in <a href="openapi.json">openapi.json</a>.</p></html>`;
