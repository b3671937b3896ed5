/** The frame of the page: which view the address names. */
import { useEffect } from 'preact/hooks';
import type { RunList } from '../src/protocol.js';
import { embedded, useAnswer } from './data.js';
import { Keys } from './keys.js';
import { hrefOf, NO_RUN, usePlace } from './place.js';
import { RunView } from './run-view.js';
import { RunsView } from './runs-view.js';
import { useTick } from './tick.js';

/** Milliseconds between two looks for new runs. */
const LOOK_FOR_RUNS = 5000;

export function App() {
  const place = usePlace();
  const tick = useTick(embedded || place.run ? undefined : LOOK_FOR_RUNS);
  const list = useAnswer<RunList>('runs', { fresh: tick });
  const runs = list.value?.runs ?? [];
  const only = runs.length === 1 ? runs[0]!.id : undefined;
  const id = place.run ?? only;
  const run = runs.find((each) => each.id === id);
  const title = run ? `${run.name} · vlgym view` : 'vlgym view';
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <>
      <button type="button" class="skip" onClick={() => document.querySelector<HTMLElement>('#main')?.focus()}>
        Skip to content
      </button>
      <header class="top">
        <h1>
          {only || !place.run ? <span>vlgym view</span> : <a href={hrefOf(NO_RUN)}>vlgym view</a>}
          {run && <span class="crumb"> / {run.name}</span>}
        </h1>
        <Keys />
      </header>
      <main id="main" tabIndex={-1}>
        {embedded?.note && <p class="note">{embedded.note}</p>}
        {list.error && (
          <p class="alert" role="alert">
            {list.error}
          </p>
        )}
        {id ? <RunView key={id} id={id} runs={runs} /> : <RunsView list={list.value} />}
      </main>
    </>
  );
}
