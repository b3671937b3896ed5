/** Every setting in force, and where it comes from. */
import { useState } from 'preact/hooks';
import type { Setting } from '../src/protocol.js';

export function Settings({ settings }: { readonly settings: readonly Setting[] }) {
  const [search, setSearch] = useState('');
  const shown = settings.filter(({ name, value, origin = '' }) =>
    `${name} ${value} ${origin}`.toLowerCase().includes(search.toLowerCase()),
  );
  const hasOrigins = settings.some(({ origin }) => origin !== undefined);
  return (
    <section class="settings" aria-label="Settings">
      <h2>Settings</h2>
      <label>
        Find <input type="search" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
      </label>
      <section class="scroll tall" tabIndex={0} aria-label="All settings">
        <table>
          <thead>
            <tr>
              <th scope="col">setting</th>
              <th scope="col">value</th>
              {hasOrigins && <th scope="col">set by</th>}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ name, value, origin }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td class="wrap">{value}</td>
                {hasOrigins && <td>{origin ?? ''}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}
