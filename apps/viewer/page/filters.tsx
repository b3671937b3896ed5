/** Filters of a list of episodes: outcome, order, words, and histograms that filter. */
import type { EpisodePage } from '../src/protocol.js';
import { Histogram } from './charts/histogram.js';
import { embedded } from './data.js';
import { go, type Place } from './place.js';

export function Filters({ page, place }: { readonly page: EpisodePage; readonly place: Place }) {
  const isDeep = place.texts === 'all';
  // a search through all texts reads every episode: not at every letter
  const search = (words: string) => go({ search: words }, true);
  const isFiltered = [place.outcome, place.search, place.returns, place.lengths].some((each) => each !== undefined);
  return (
    <div class="filters">
      <div class="bar">
        <label>
          <span class="hidden">Outcome</span>
          <select value={place.outcome ?? ''} onChange={(event) => go({ outcome: event.currentTarget.value })}>
            <option value="">every outcome</option>
            <option value="success">solved</option>
            <option value="failure">not solved</option>
            <option value="error">with an error</option>
            <option value="illegal">with an illegal answer</option>
          </select>
        </label>
        <label>
          <span class="hidden">Order</span>
          <select value={place.order ?? ''} onChange={(event) => go({ order: event.currentTarget.value })}>
            <option value="">as played</option>
            <option value="return">lowest return first</option>
            <option value="length">longest first</option>
            <option value="advantage">lowest advantage first</option>
          </select>
        </label>
        <label class="grow">
          <span class="hidden">Search</span>
          <input
            type="search"
            placeholder={isDeep ? 'words in any text, then Enter' : 'seed, task, error'}
            value={place.search ?? ''}
            list="errors"
            onInput={(event) => !isDeep && search(event.currentTarget.value)}
            onChange={(event) => isDeep && search(event.currentTarget.value)}
          />
          <datalist id="errors">
            {page.errors.map((error) => (
              <option key={error} value={error} />
            ))}
          </datalist>
        </label>
        {!embedded && (
          <label class="check">
            <input type="checkbox" checked={isDeep} onChange={() => go({ texts: isDeep ? undefined : 'all' }, true)} />{' '}
            in all texts
          </label>
        )}
        {isFiltered && (
          <button
            type="button"
            class="quiet"
            onClick={() => go({ outcome: '', search: '', texts: '', returns: '', lengths: '' })}
          >
            Clear
          </button>
        )}
      </div>
      <div class="histograms">
        <Histogram title="return" bars={page.returns} range={place.returns} onRange={(returns) => go({ returns })} />
        <Histogram title="length" bars={page.lengths} range={place.lengths} onRange={(lengths) => go({ lengths })} />
      </div>
    </div>
  );
}
