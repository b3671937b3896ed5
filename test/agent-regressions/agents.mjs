/** Two agents of a user: a model in a loop with the actions of the environment and a tool of its own. */
import { toolAgent } from '@vlgym/agents';
import { actionTools } from '@vlgym/agents/model';
import { ToolLoopAgent, tool, wrapLanguageModel } from 'ai';
import * as z from 'zod';
import { model as provider } from './stand-in.mjs';

function agentWith(name, middleware, callsFor) {
  const model = wrapLanguageModel({ model: provider, middleware });
  return toolAgent(
    ({ env, info }) => {
      const execute = async () => ({ episode: info.taskKey, ...callsFor(env.oracle()) });
      const advice = tool({ description: 'What to do next.', inputSchema: z.object({}), execute });
      return new ToolLoopAgent({ model, tools: { ...actionTools(env), advice } });
    },
    { name },
  );
}

const WORDS = [...Array.from({ length: 10 }, (_, index) => `${index + 1}`), '+', '-', '*', '/', '(', ')', '='];
const act = (action) => ({ name: 'act', input: { action } });

export const cardPlayer = (middleware) =>
  agentWith('card player', middleware, (action) => ({ right: act(WORDS[action]), wrong: act('=') }));

const click = (value) => ({ name: 'click_action', input: { value } });

export const shopper = (middleware) =>
  agentWith('shopper', middleware, (action) => {
    const [, kind, value] = /^(\w+)\[(.*)\]$/s.exec(action);
    const right = kind === 'click' ? click(value) : { name: 'search_action', input: { keywords: value } };
    return { right, wrong: click('back to search') };
  });
