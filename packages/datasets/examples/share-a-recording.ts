import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evaluate, oracleAgent } from '@vlgym/agents';
import { readExamples, writeParquet } from '@vlgym/datasets';
import '@vlgym/points24';

const folder = await mkdtemp(join(tmpdir(), 'recording-'));
await evaluate({ env: 'vlgym/EZPoints-v1', agent: oracleAgent(), episodes: 5, record: folder });

// every step of the successful episodes is a row: prompt, pictures, completion
const file = join(folder, 'train.parquet');
const rows = await writeParquet(file, readExamples(folder));
for await (const { response } of readExamples(file)) console.log(response);
console.log(rows, 'rows');
