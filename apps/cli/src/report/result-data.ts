/** `result.json` next to the report: the rows of its tables and the verdicts, for scripts. */
import type { TaskReport } from './data.js';
import { type Row, summarize } from './statistics.js';
import { answers, method, separation, verdicts } from './verdicts.js';

export function resultData(tasks: readonly TaskReport[], baseline: string) {
  return tasks.map(({ envId, options, dialogue, runs }) => {
    const rows = summarize(runs, baseline);
    return {
      env: envId,
      options,
      dialogue,
      baseline,
      separation: separation(rows),
      answers: answers(rows),
      method: method(rows),
      rows: rows.map(rowData),
      comparisons: verdicts(rows, baseline).map(({ first, second, comparison, text }) => ({
        first,
        second,
        ...comparison,
        text,
      })),
    };
  });
}

/** A row without its curves and episodes. */
function rowData({ runs, ...row }: Row) {
  return { ...row, trainingSeeds: runs.map(({ seed }) => seed) };
}
