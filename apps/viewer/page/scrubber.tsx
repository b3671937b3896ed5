/** The cursor over updates, for keyboard and finger. Moving it turns following off. */
import type { UpdateRecord } from '../src/protocol.js';
import { useKeys } from './keys.js';
import { go, type Place } from './place.js';

export interface ScrubberProps {
  readonly records: readonly UpdateRecord[];
  readonly place: Place;
  readonly cursor: number | undefined;
  readonly isRunning: boolean;
}

export function Scrubber({ records, place, cursor = 0, isRunning }: ScrubberProps) {
  const last = records.at(-1)!.update;
  const isFollowing = place.update === undefined;
  const move = (to: number) =>
    go({ ...withCursor(place), update: String(Math.min(Math.max(to, records[0]!.update), last)) }, true);
  const toggle = () => go({ ...withCursor(place), update: isFollowing ? String(last) : undefined });
  useKeys({ '[': () => move(cursor - 1), ']': () => move(cursor + 1), f: toggle });
  const steps = records.findLast(({ update }) => update <= cursor)?.environmentSteps ?? 0;
  return (
    <section class="scrubber bar" aria-label="Cursor">
      <label class="grow">
        <span>
          Update <output>{cursor}</output> of {last}
          <span class="soft"> · {steps.toLocaleString('en')} steps</span>
        </span>
        <input
          type="range"
          min={records[0]!.update}
          max={last}
          value={cursor}
          onInput={(event) => move(event.currentTarget.valueAsNumber)}
        />
      </label>
      <label>
        <input type="checkbox" checked={isFollowing} onChange={toggle} /> follow the newest
        {isRunning ? '' : ' (the run has ended)'}
      </label>
    </section>
  );
}

/** The episodes of updates go with the cursor, also one that is open; others that were chosen stay. */
const withCursor = ({ set = 'update-' }: Place) =>
  set.startsWith('update-') ? { set: undefined, token: undefined } : {};
