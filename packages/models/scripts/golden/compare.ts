/** All comparisons of a folder, family by family. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Generator } from '@vlgym/gpu';
import { BatchBuilder } from '../../src/batch/batch-builder.js';
import { ActorCritic } from '../../src/layers/actor-critic.js';
import type { QwenConfig } from '../../src/models/shared/config.js';
import type { TiledConfig } from '../../src/models/tiled/config.js';
import { PromptEncoder } from '../../src/policy/prompt-encoder.js';
import { modelOf } from '../../src/pretrained/load-model.js';
import { type ModelFolder, readModelFolder } from '../../src/pretrained/model-folder.js';
import { Fixture, type GoldenModel, readCases } from './fixture.js';
import { compareForward } from './forward.js';
import { compareGenerate } from './generate.js';
import { compareImages, compareSmartResize } from './images.js';
import { compareLora } from './lora.js';
import { type GoldenDType, Precision } from './precision.js';
import type { Report } from './report.js';
import { compareText } from './text.js';
import { compareTiles, readsTiles } from './tiles.js';

/** The same configuration in the other published style. */
const OTHER_STYLES = ['config.v5.json', 'config.hub.json'];

export interface GoldenOptions {
  readonly dtypes?: readonly GoldenDType[];
  readonly device?: string;
}

export async function compareFolder(
  folder: string,
  report: Report,
  { dtypes = ['float32', 'float64'], device = 'cpu' }: GoldenOptions = {},
): Promise<void> {
  const cases = readCases(folder);
  compareSmartResize(cases, report);
  for (const [name, family] of Object.entries(cases.families)) {
    await report.within(name, async () => {
      const fixture = new Fixture(folder, family);
      const source = await readModelFolder(fixture.model);
      for (const style of OTHER_STYLES) {
        if (!existsSync(join(fixture.model, style))) continue;
        const { config } = await readModelFolder(fixture.model, style);
        report.check(`${style} describes the same model`, isDeepStrictEqual(config, source.config));
      }
      const reader = source.family.pictures?.(source.config);
      if (readsTiles(reader)) compareTiles(fixture, source.config as TiledConfig, reader, report);
      else if ('image' in source.config) compareImages(fixture, source.config as QwenConfig, report);
      for (const dtype of dtypes) {
        await report.within(dtype, () => compareModel(fixture, source, new Precision(dtype, device), report));
      }
    });
  }
}

async function compareModel(
  fixture: Fixture,
  source: ModelFolder,
  precision: Precision,
  report: Report,
): Promise<void> {
  const { dtype, device } = precision;
  // a small value head: nothing here reads values
  const small = { ...source, config: { ...source.config, valueHead: [8] } };
  const model = modelOf(small, { dtype, device }) as GoldenModel;
  const network = new ActorCritic(model, { generator: new Generator(0), dtype, device });
  const encoder = new PromptEncoder(model, source.tokenizer, source.chatTemplate);
  const parts = { precision, model, network, encoder, builder: new BatchBuilder(model, encoder.imageToken) };
  if (dtype === 'float32') await report.within('text', () => compareText(fixture, source, encoder, report));
  await report.within('forward', () => compareForward(fixture, parts, report));
  await report.within('generate', () => compareGenerate(fixture, parts, report));
  network.dispose();
  for (const [name, lora] of Object.entries(fixture.cases.lora)) {
    await report.within(name, () => compareLora(fixture, name, lora, small, precision, report));
  }
}
