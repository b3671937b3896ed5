/** A run and its records as they are now, kept up to date by the news of the server. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { RunDetails, UpdateRecord } from '../src/protocol.js';
import { ask, embedded, follow, useAnswer } from './data.js';
import { useKeys } from './keys.js';
import { go, NO_EPISODE } from './place.js';
import { useTick } from './tick.js';

/** Milliseconds between two looks at a recording that grows. */
const LOOK_AGAIN = 2000;

interface LiveRun {
  readonly details: RunDetails | undefined;
  readonly records: readonly UpdateRecord[];
  readonly error: string | undefined;
  readonly connected: boolean;
  /** Grows when lists of episodes are to be asked for again. */
  readonly fresh: number;
  readonly refresh: () => void;
}

/** A run as it is now, and what comes. */
export function useRun(id: string): LiveRun {
  const [asked, setAsked] = useState(0);
  const [state, setState] = useState<{ details?: RunDetails; records: readonly UpdateRecord[] }>({ records: [] });
  const [error, setError] = useState<string>();
  const [connected, setConnected] = useState(true);
  const isGrowing = state.details?.summary.kind === 'recording' && state.details.summary.state === 'running';
  const tick = useTick(isGrowing ? LOOK_AGAIN : undefined);
  const fresh = asked + tick;
  const first = useAnswer<RunDetails>(`runs/${id}/details`, { fresh, keep: true });
  /** News came before the details that they change, which may be older. */
  const isBehind = useRef(false);
  useEffect(() => {
    if (first.value) setState((before) => ({ ...before, details: first.value! }));
    if (first.value && isBehind.current) setAsked((before) => before + 1);
    if (first.value) isBehind.current = false;
    setError(first.error);
  }, [first.value, first.error]);
  useEffect(() => {
    let stop: (() => void) | undefined;
    let isOver = false;
    void allRecords(id).then(
      ({ records, to }) => {
        if (isOver) return;
        setState((before) => ({ ...before, records }));
        if (embedded) return;
        stop = follow(
          id,
          to,
          (message) =>
            setState(({ details, records: before }) => {
              if (!details) isBehind.current = true;
              return {
                records: message.records.length > 0 ? merged(before, message.records) : before,
                ...(details && { details: { ...details, summary: message.summary, recorded: message.recorded } }),
              };
            }),
          setConnected,
        );
      },
      (reason: Error) => setError(reason.message),
    );
    return () => {
      isOver = true;
      stop?.();
    };
  }, [id]);
  const summaryState = state.details?.summary.state;
  const lastState = useRef(summaryState);
  useEffect(() => {
    // a run that has ended has an evaluation, and a result
    if (lastState.current !== undefined && lastState.current !== summaryState) setAsked((before) => before + 1);
    lastState.current = summaryState;
  }, [summaryState]);
  useKeys({ Escape: () => go(NO_EPISODE) });
  return {
    ...state,
    details: state.details ?? first.value,
    error,
    connected,
    fresh,
    refresh: () => setAsked((before) => before + 1),
  };
}

interface Records {
  readonly records: readonly UpdateRecord[];
  readonly to: number;
}

async function allRecords(id: string): Promise<Records> {
  let records: readonly UpdateRecord[] = [];
  for (let from = 0; ; ) {
    const part = await ask<Records>(`runs/${id}/metrics?from=${from}`);
    records = merged(records, part.records);
    if (part.to === from || embedded) return { records, to: part.to };
    from = part.to;
  }
}

/** An update that was done again after a kill replaces its record, and those after it. */
function merged(before: readonly UpdateRecord[], more: readonly UpdateRecord[]): readonly UpdateRecord[] {
  const [first] = more;
  if (!first) return before;
  const kept =
    (before.at(-1)?.update ?? -1) < first.update ? before : before.filter(({ update }) => update < first.update);
  return [...kept, ...more];
}

export function useRecords(id: string | undefined): readonly UpdateRecord[] | undefined {
  const [records, setRecords] = useState<readonly UpdateRecord[]>();
  useEffect(() => {
    setRecords(undefined);
    if (id === undefined) return;
    let isOver = false;
    void allRecords(id).then((all) => !isOver && setRecords(all.records));
    return () => {
      isOver = true;
    };
  }, [id]);
  return records;
}
