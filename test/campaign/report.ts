/** The report of a campaign in Markdown: what was done, what was found, and how to see it again. */
import { type Attack, type FoundFinding, reproducer } from './attack.js';
import type { CampaignState } from './state.js';

/** Cases named for one finding. */
const SHOWN = 3;

export function markdownReport(state: CampaignState, attacks: readonly Attack[], machine: string): string {
  const groups = groupFindings(state.findings);
  return [
    '# Campaign',
    '',
    `Commit ${state.commit}, seed ${state.seed}. ${machine}`,
    '',
    '| attack | what | cases | done | findings | minutes |',
    '| --- | --- | ---: | --- | ---: | ---: |',
    ...attacks.flatMap((attack) => row(attack, state, groups)),
    '',
    '## Findings',
    '',
    ...(groups.length === 0 ? ['None.'] : groups.flatMap((group) => section(group, state.seed))),
    '',
  ].join('\n');
}

function row({ name, about }: Attack, { attacks }: CampaignState, groups: readonly FoundFinding[][]): string[] {
  const own = attacks[name];
  if (!own) return [];
  const found = groups.filter(([first]) => first!.attack === name).length;
  const counts = Object.entries(own.counts).map(([unit, count]) => `${count.toLocaleString('en-US')} ${unit}`);
  const done = own.unavailable === undefined ? counts.join(', ') : `not run: ${own.unavailable}`;
  return [`| \`${name}\` | ${about} | ${own.cases} | ${done} | ${found} | ${(own.seconds / 60).toFixed(1)} |`];
}

function section(group: readonly FoundFinding[], seed: number): string[] {
  const first = group[0]!;
  return [
    `### ${first.attack}: ${first.title}`,
    '',
    `Seen ${group.length} ${group.length === 1 ? 'time' : 'times'}.`,
    '',
    '```',
    first.detail.slice(0, 2000),
    '```',
    '',
    '```sh',
    ...new Set(group.slice(0, SHOWN).map((finding) => reproducer(finding, seed))),
    '```',
    '',
  ];
}

/** Findings with one title of one attack together, in the order of their first sight. */
export function groupFindings(findings: readonly FoundFinding[]): FoundFinding[][] {
  const groups = new Map<string, FoundFinding[]>();
  for (const finding of findings) {
    const key = `${finding.attack}\n${finding.title}`;
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return [...groups.values()];
}
