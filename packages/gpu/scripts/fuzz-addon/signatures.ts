/** The functions of the addon with the names and types of their parameters, read from the parts of the interface `Native`. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Parameter {
  readonly name: string;
  /** As written, without spaces: `Handle`, `Ints|null`, `readonlyHandle[]`, … */
  readonly type: string;
}

export interface Signature {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  /** Whether the result, or what its promise resolves to, is one tensor, a list of them, or something else. */
  readonly result: 'tensor' | 'tensors' | 'generator' | 'file' | 'decoder' | 'group' | 'buckets' | 'other';
}

const PARTS = ['process', 'tensor', 'model'];

export function readSignatures(): Signature[] {
  const sources = PARTS.map((part) =>
    readFileSync(fileURLToPath(new URL(`../../src/native/${part}-functions.ts`, import.meta.url)), 'utf8'),
  );
  const body = sources.join('\n').replace(/\/\/.*|\/\*\*[\s\S]*?\*\//g, '');
  return [...body.matchAll(/^ {2}(\w+)\(([^;]*?)\): ([^;]+);/gm)].map(([, name, parameters, result]) => ({
    name: name!,
    parameters: parameters!
      .split(',')
      .map((parameter) => parameter.trim())
      .filter(Boolean)
      .map((parameter) => {
        const colon = parameter.indexOf(':');
        return { name: parameter.slice(0, colon), type: parameter.slice(colon + 1).replace(/\s/g, '') };
      }),
    result: kindOf(result!.replace(/\s/g, '')),
  }));
}

function kindOf(type: string): Signature['result'] {
  if (/^(Handle(\|null)?|Promise<Handle>)$/.test(type)) return 'tensor';
  if (/^(Pair|Handle\[\]|\(Handle\|null\)\[\])$/.test(type)) return 'tensors';
  if (type === 'NativeGenerator') return 'generator';
  if (type === 'NativeDecoder') return 'decoder';
  if (type === 'NativeGroup') return 'group';
  if (type === 'NativeBuckets') return 'buckets';
  return type === 'NativeFile' ? 'file' : 'other';
}
