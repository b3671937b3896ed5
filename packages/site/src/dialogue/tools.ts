/** Actions as tools with JSON Schema, for models that call functions. */
export interface ActionTool {
  readonly name: string;
  readonly description: string;
  /** Name of the main argument; empty if the tool has none. */
  readonly argument: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export function tool(
  name: string,
  description: string,
  argument = '',
  about = '',
  type: 'string' | 'integer' = 'string',
): ActionTool {
  return {
    name,
    description,
    argument,
    parameters: {
      type: 'object',
      properties: {
        thoughts: { type: 'string', description: 'What you see and plan.' },
        ...(argument && { [argument]: { type, description: about } }),
      },
      required: argument ? [argument] : [],
      additionalProperties: false,
    },
  };
}
