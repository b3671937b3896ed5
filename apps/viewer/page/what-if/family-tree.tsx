/** An episode and its branches as a tree: which step each begins at, who played on, and how it ended. */
import type { Relative } from '../../src/protocol.js';
import { short } from '../format.js';
import { hrefOf, NO_EPISODE } from '../place.js';

interface FamilyProps {
  readonly family: readonly Relative[];
  /** The episode that is open. */
  readonly id: string;
}

export function FamilyTree({ family, id }: FamilyProps) {
  const [first] = family;
  if (!first) return null;
  return (
    <section aria-label="Branches">
      <h3>Branches</h3>
      <ul class="tree">
        <Member {...{ family, id, member: first }} />
      </ul>
    </section>
  );
}

function Member({ family, id, member: { row, set } }: FamilyProps & { readonly member: Relative }) {
  const children = family.filter((each) => each.row.parent === row.id && each.row.id !== row.id);
  const ordered = children.toSorted((a, b) => (a.row.at ?? 0) - (b.row.at ?? 0));
  const { success, at, agent } = row;
  const outcome = success === undefined ? row.endedBy : success ? '✓ solved' : '✗ not solved';
  const isHere = row.id === id;
  return (
    <li>
      <a
        href={hrefOf({ ...NO_EPISODE, set, episode: row.id, step: at === undefined ? undefined : String(at) })}
        aria-current={isHere ? 'true' : undefined}
      >
        {at === undefined ? 'the recorded episode' : `at step ${at}, ${agent ?? 'branch'}`}
      </a>{' '}
      <span class="soft">
        {outcome}, return {short(row.return)}
      </span>
      {ordered.length > 0 && (
        <ul>
          {ordered.map((each) => (
            <Member key={each.row.id} {...{ family, id, member: each }} />
          ))}
        </ul>
      )}
    </li>
  );
}
