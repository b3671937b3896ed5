/** Observations: those of `SiteEnv`, with the picture cropped to the task, and the instruction. */
import { type RgbImage, spaces } from '@vlgym/core';
import type { SiteEnv, SiteObservation } from '@vlgym/site';

export const WIDTH = 160;
export const HEIGHT = 210;
/** The original's limit of an instruction, characters. */
const MAX_UTTERANCE = 256;

export interface MiniWoBObservation extends SiteObservation {
  /** 160 × 210 pixels; black if pictures are off, and after the end. */
  readonly screenshot: RgbImage;
  /** The instruction; empty after the end. */
  readonly utterance: string;
}

/** @param site  Its space has the other parts. */
export function observationSpaceOf(site: SiteEnv) {
  const { spaces: parts } = site.observationSpace as unknown as { readonly spaces: Record<string, never> };
  return spaces.dict({
    ...parts,
    screenshot: spaces.image({ height: HEIGHT, width: WIDTH }),
    utterance: spaces.text({ minLength: 0, maxLength: MAX_UTTERANCE }),
  }) as unknown as ReturnType<typeof spaces.json<import('zod').ZodType<MiniWoBObservation>>>;
}

const black = (): RgbImage => ({ width: WIDTH, height: HEIGHT, channels: 3, data: new Uint8Array(WIDTH * HEIGHT * 3) });

export function observationOf(seen: SiteObservation, utterance: string): MiniWoBObservation {
  const short = [...utterance].slice(0, MAX_UTTERANCE).join('');
  return {
    ...seen,
    url: pathOf(seen.url),
    tabs: seen.tabs.map((tab) => ({ ...tab, url: pathOf(tab.url) })),
    screenshot: cut(seen.screenshot),
    utterance: short,
  };
}

/** Empty, as the original's after the end. */
export function afterTheEnd(seen: SiteObservation): MiniWoBObservation {
  const { url, title, tabs, dialogs, lastError } = observationOf(seen, '');
  return {
    url,
    title,
    tabs,
    dialogs,
    lastError,
    screenshot: black(),
    text: '',
    accessibility: '',
    elements: [],
    utterance: '',
  };
}

/** The port of the server differs from process to process. */
const pathOf = (address: string): string => address.replace(/^http:\/\/127\.0\.0\.1:\d{1,5}/, '');

/** The upper left corner. */
function cut({ data, width }: RgbImage): RgbImage {
  const picture = black();
  const row = WIDTH * 3;
  for (let y = 0; y < HEIGHT; y += 1) picture.data.set(data.subarray(y * width * 3, y * width * 3 + row), y * row);
  return picture;
}
