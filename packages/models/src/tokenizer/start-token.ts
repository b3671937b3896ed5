/** Special tokens that the post-processor of a `tokenizer.json` (Hugging Face's `tokenizers`) puts before a text. */
import { isRecord } from '@vlgym/core/internal';

/** @param processor  `post_processor` of the file. */
export function startTokenOf(processor: unknown): string | null {
  if (!isRecord(processor)) return null;
  if (processor.type === 'Sequence' && Array.isArray(processor.processors)) {
    return processor.processors.map(startTokenOf).find((token) => token !== null) ?? null;
  }
  if (processor.type !== 'TemplateProcessing' || !Array.isArray(processor.single)) return null;
  const [first] = processor.single as unknown[];
  const token = isRecord(first) && isRecord(first.SpecialToken) ? first.SpecialToken.id : undefined;
  return typeof token === 'string' ? token : null;
}
