/** A list of agents in words. */

const WORDS: Readonly<Record<string, string>> = {
  recorded: 'the recorded actions, as far as they go',
  nobody: 'nobody: end after this step',
  policy: 'the newest weights of this run',
  oracle: 'the expert of the environment',
  random: 'random actions',
};

function wordsOf(agent: string): string {
  const [, update] = /^checkpoint-(\d+)$/.exec(agent) ?? [];
  return update === undefined ? (WORDS[agent] ?? agent) : `the weights after update ${update}`;
}

interface ChoiceProps {
  readonly label: string;
  readonly agents: readonly string[];
  readonly agent: string;
  readonly onChoice: (agent: string) => void;
}

export const AgentChoice = ({ label, agents, agent, onChoice }: ChoiceProps) => (
  <label>
    {label}{' '}
    <select value={agent} onChange={(event) => onChoice(event.currentTarget.value)}>
      {agents.map((name) => (
        <option key={name} value={name}>
          {wordsOf(name)}
        </option>
      ))}
    </select>
  </label>
);
