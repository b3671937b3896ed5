/** A tool agent with its own tool: recorded with a model, played again without. */
import { evaluate } from '@vlgym/agents';
import { cassetteMiddleware, cassetteReports } from '@vlgym/agents/cassette';
import { make } from '@vlgym/core';
import '@vlgym/points24';
import { cardPlayer } from './agents.mjs';

const env = () => make('vlgym/Points24-v1', { options: { solvableOnly: true, size: { height: 60, width: 60 } } });
const agent = cardPlayer(cassetteMiddleware('cards.jsonl'));
const { successRate } = await evaluate({ env, agent, episodes: 4, parallel: 2 });
const [{ played, recorded }] = cassetteReports();
console.log(successRate, played > 0 ? 'played' : '', recorded > 0 ? 'recorded' : '');
