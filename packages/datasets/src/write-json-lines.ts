/** Examples as JSON Lines in TRL's layout, pictures as PNG files next to them. */
import { dirname, join } from 'node:path';
import type { Image } from '@vlgym/core';
import { encodePng, hashImage } from '@vlgym/core/images';
import { AtomicFile, writeFileAtomic } from '@vlgym/core/internal';
import type { ChatExample } from './example.js';
import { laidOut, originColumns } from './layout.js';

const IMAGES = 'images';

/** The file appears under its name when it is complete. @returns the number of rows. */
export async function writeJsonLines(path: string, examples: AsyncIterable<ChatExample>): Promise<number> {
  const folder = dirname(path);
  const file = await AtomicFile.create(path);
  const encoder = new TextEncoder();
  const saved = new Set<string>();
  const save = async (image: Image) => {
    const name = join(IMAGES, `${hashImage(image).replace('sha256:', '')}.png`);
    if (!saved.has(name)) {
      await writeFileAtomic(join(folder, name), encodePng(image));
      saved.add(name);
    }
    return name;
  };
  let rows = 0;
  try {
    for await (const example of examples) {
      const { prompt, completion, images } = laidOut(example);
      const names: string[] = [];
      for (const image of images) names.push(await save(image));
      const row = { prompt, completion, ...(names.length > 0 && { images: names }), ...originColumns(example) };
      await file.write(encoder.encode(`${JSON.stringify(row)}\n`));
      rows += 1;
    }
    await file.commit();
    return rows;
  } catch (error) {
    await file.discard();
    throw error;
  }
}
