/** Tokenizer, chat template, and prompts with their pictures expanded. */
import type { JinjaTemplate } from '../../src/chat/jinja-template.js';
import type { PromptEncoder } from '../../src/policy/prompt-encoder.js';
import type { ModelFolder } from '../../src/pretrained/model-folder.js';
import type { Fixture } from './fixture.js';
import type { Report } from './report.js';

export function compareText(
  fixture: Fixture,
  { tokenizer, chatTemplate }: ModelFolder,
  encoder: PromptEncoder,
  report: Report,
): void {
  const { text, cases } = fixture;
  for (const [token, id] of Object.entries(text.special_token_ids ?? {})) {
    report.check(`id of ${token}`, tokenizer.id(token) === id, `${tokenizer.id(token)}, wanted ${id}`);
  }
  for (const [i, { text: given, ids, decoded, decoded_skipping_special: plain }] of text.tokenizer.entries()) {
    const name = `tokenizer case ${i}`;
    report.equal(`${name} encodes`, Array.from(tokenizer.encode(given)), ids);
    report.check(`${name} decodes`, tokenizer.decode(ids).text === plain, JSON.stringify(tokenizer.decode(ids).text));
    const whole = tokenizer.decodeAll(ids);
    report.check(`${name} decodes with special tokens`, whole === decoded, JSON.stringify(whole));
  }
  const template = chatTemplate as JinjaTemplate;
  for (const [name, prompt] of Object.entries(text.prompts)) {
    const messages = fixture.messages(name);
    const render = (wanted: string | undefined, what: string, options: Parameters<JinjaTemplate['render']>[1]) => {
      if (wanted === undefined) return;
      const { text: rendered } = template.render(messages, options);
      report.check(`prompt ${name} ${what}`, rendered === wanted, JSON.stringify(rendered));
    };
    render(prompt.rendered, 'rendered', {});
    render(prompt.rendered_without_generation_prompt, 'rendered closed', { generationPrompt: false });
    render(prompt.rendered_with_vision_ids, 'rendered with vision ids', { visionIds: true });
    report.equal(`prompt ${name} ids`, Array.from(encoder.encode(messages).promptIds), prompt.input_ids);
    const response = encoder.encodeResponse(prompt.response_text);
    report.equal(`prompt ${name} response ids`, Array.from(response.ids), prompt.response_ids);
  }
  const { left_padded_batch: batch } = text;
  const rows = batch.prompts.map((name) => Array.from(encoder.encode(fixture.messages(name)).promptIds));
  const width = Math.max(...rows.map((row) => row.length));
  const pad = cases.generate.greedy_eos.pad_token_id;
  const padded = (fill: number, of: (id: number) => number) =>
    rows.flatMap((row) => [...new Array<number>(width - row.length).fill(fill), ...row.map(of)]);
  report.equal(
    'batch ids',
    padded(pad, (id) => id),
    batch.input_ids.flat(),
  );
  report.equal(
    'batch mask',
    padded(0, () => 1),
    batch.attention_mask.flat(),
  );
  const isPicture = (id: number) => Number(id === encoder.imageToken);
  if (batch.mm_token_type_ids) report.equal('batch token types', padded(0, isPicture), batch.mm_token_type_ids.flat());
}
