/**
 * Actions as tools of the AI SDK: those of the environment's dialogue (`Dialogue.tools`), or one tool made of its action
 * space. They have no `execute`: the call ends the agent's turn, and the environment executes it.
 *
 * A tool's schema is a Standard Schema with JSON Schema (standardschema.dev), which the AI SDK reads without this package
 * knowing the SDK.
 */
import type { AnyEnv, Space } from '@vlgym/core';
import { actionWords } from '../actions.js';

/** Name of the tool for environments whose dialogue has no tools. */
export const ACTION_TOOL = 'act';

type JsonObject = Readonly<Record<string, unknown>>;

/** A schema that validates and can be sent to a model. */
export interface ToolSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'vlgym';
    readonly validate: (
      value: unknown,
    ) => { readonly value: JsonObject } | { readonly issues: readonly { readonly message: string }[] };
    readonly jsonSchema: {
      readonly input: (options: { readonly target: string }) => Record<string, unknown>;
      readonly output: (options: { readonly target: string }) => Record<string, unknown>;
    };
    readonly types?: { readonly input: JsonObject; readonly output: JsonObject };
  };
}

/** A tool as the AI SDK takes it. */
export interface ActionTool {
  readonly description: string;
  readonly inputSchema: ToolSchema;
}

/**
 * The environment's actions for `generateText`, `streamText` and `ToolLoopAgent`.
 *
 * @example
 * new ToolLoopAgent({ model, tools: { ...actionTools(env), search } });
 */
export function actionTools({
  dialogue,
  actionSpace,
}: Pick<AnyEnv, 'dialogue' | 'actionSpace'>): Record<string, ActionTool> {
  const tools = dialogue?.tools ?? [spaceTool(actionSpace)];
  return Object.fromEntries(
    tools.map(({ name, description, parameters }) => [name, { description, inputSchema: toolSchema(parameters) }]),
  );
}

function spaceTool(space: Space) {
  const words = actionWords(space);
  const action = words ? { type: 'string', enum: [...words] } : space.toJsonSchema();
  return {
    name: ACTION_TOOL,
    description: 'Take one action in the environment. Call it once, last.',
    parameters: {
      type: 'object',
      properties: { thoughts: { type: 'string', description: 'What you see and plan.' }, action },
      required: ['action'],
      additionalProperties: false,
    },
  };
}

/**
 * Checks that required arguments are there. Values are checked by the environment's dialogue or action space, whose hints
 * say more, and whose rules depend on the state.
 */
function toolSchema(parameters: JsonObject): ToolSchema {
  const { required = [] } = parameters as { readonly required?: readonly string[] };
  const jsonSchema = () => structuredClone(parameters) as Record<string, unknown>;
  return {
    '~standard': {
      version: 1,
      vendor: 'vlgym',
      validate(value) {
        if (typeof value !== 'object' || value === null || Array.isArray(value)) {
          return { issues: [{ message: 'Expected an object with the arguments.' }] };
        }
        const missing = required.filter((name) => !Object.hasOwn(value, name));
        if (missing.length === 0) return { value: value as JsonObject };
        return { issues: missing.map((name) => ({ message: `The argument "${name}" is missing.` })) };
      },
      jsonSchema: { input: jsonSchema, output: jsonSchema },
    },
  };
}
