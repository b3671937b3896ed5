/** The flags of a command, read from its schema. */
import { z } from 'zod';
import { kebab } from './cli-hints.js';

/** `true`: it is set; `false`: it is not; a list: one of these values; `not`: any but this. */
export type Condition = boolean | readonly unknown[] | { readonly not: unknown };

/** All of these at once. */
export type Needs = Readonly<Record<string, Condition>>;

export interface Flag {
  readonly key: string;
  readonly flag: string;
  readonly kind: 'boolean' | 'number' | 'array' | 'object' | 'string';
  readonly itemIsNumber: boolean;
  readonly description: string;
  readonly placeholder: string;
  readonly fallback: unknown;
  /** The value of the flag without one (`.meta({ alone })`). */
  readonly alone: unknown;
  /** Conditions of its effect, one of which is enough (`needs.ts`). */
  readonly needs: readonly Needs[];
  readonly needsHint: string | undefined;
}

interface Property {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly default?: unknown;
  readonly alone?: unknown;
  readonly needs?: readonly Needs[];
  readonly needsHint?: string;
  readonly items?: { readonly type?: string };
}

export function flagsOf(schema: z.ZodType): Flag[] {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, Property>;
  };
  return Object.entries(properties).map(([key, property]) => {
    const type = property.type === 'integer' ? 'number' : (property.type ?? 'string');
    const kind = (['boolean', 'number', 'array', 'object'] as const).find((name) => name === type) ?? 'string';
    const itemType = property.items?.type;
    return {
      key,
      flag: kebab(key),
      kind,
      itemIsNumber: itemType === 'number' || itemType === 'integer',
      description: property.description ?? '',
      placeholder: property.enum
        ? property.enum.join('|')
        : { boolean: '', number: 'N', array: 'A,B,…', object: 'KEY=VALUE', string: 'TEXT' }[kind],
      fallback: property.default,
      alone: property.alone,
      needs: property.needs ?? [],
      needsHint: property.needsHint,
    };
  });
}
