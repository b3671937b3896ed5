/**
 * The most input tokens that a request can have, without knowing the model's tokenizer.
 *
 * Text: a byte-level tokenizer never makes more tokens than UTF-8 bytes. Pictures: one token for 14 × 14 pixels, the
 * smallest patch in use, or a fixed number where providers bill a picture flat.
 */

/** Tokens around one message or one tool in a chat template. */
const OVERHEAD = 16;
const PATCH = 14 * 14;
/** More than any provider bills for a picture of any size that it scales down first. */
const FLAT_PICTURE = 4096;

interface CallShape {
  readonly prompt?: readonly { readonly content?: unknown }[];
  readonly tools?: readonly unknown[] | undefined;
}

/** @param call  The options of `doGenerate`. */
export function inputBound({ prompt = [], tools = [] }: CallShape): number {
  const messages = prompt.reduce((sum, { content }) => sum + OVERHEAD + contentBound(content), 0);
  return messages + tools.reduce<number>((sum, tool) => sum + OVERHEAD + bytes(JSON.stringify(tool) ?? ''), 0);
}

function contentBound(content: unknown): number {
  if (typeof content === 'string') return bytes(content);
  if (!Array.isArray(content)) return 0;
  return content.reduce<number>((sum, part: { type?: unknown; data?: unknown }) => {
    return sum + (part.type === 'file' ? pictureBound(part.data) : bytes(JSON.stringify(part) ?? ''));
  }, 0);
}

/** Size of a PNG from its header: width and height stand at bytes 16 and 20. */
function pictureBound(data: unknown): number {
  const found = data instanceof Uint8Array ? data : (data as { readonly data?: unknown } | null)?.data;
  if (!(found instanceof Uint8Array) || found.length < 24 || found[1] !== 0x50) return FLAT_PICTURE;
  const view = new DataView(found.buffer, found.byteOffset, found.byteLength);
  return Math.max(FLAT_PICTURE, Math.ceil((view.getUint32(16) * view.getUint32(20)) / PATCH));
}

const bytes = (text: string) => Buffer.byteLength(text, 'utf8');
