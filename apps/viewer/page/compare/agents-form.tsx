/** The agents of a recording that holds several: two of them are compared. */
import { useState } from 'preact/hooks';
import { go } from '../place.js';

interface AgentsProps {
  readonly run: string;
  /** Two or more. */
  readonly agents: readonly string[];
}

export function AgentsForm({ run, agents }: AgentsProps) {
  const [first, setFirst] = useState(agents[0]!);
  const [second, setSecond] = useState(agents[1]!);
  const choice = (label: string, value: string, onChoice: (name: string) => void) => (
    <label>
      {label}{' '}
      <select value={value} onChange={(event) => onChoice(event.currentTarget.value)}>
        {agents.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <>
      {choice('Agents', first, setFirst)}
      {choice('and', second, setSecond)}
      <button
        type="button"
        disabled={first === second}
        onClick={() => go({ other: run, first, second, group: undefined, view: undefined })}
      >
        Compare the two
      </button>
    </>
  );
}
