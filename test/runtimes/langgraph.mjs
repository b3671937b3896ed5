/** A graph of LangGraph.js with a tool of its own, by the adapter of the README of @vlgym/agents. */
import { AIMessage, ToolMessage } from '@langchain/core/messages';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { evaluate } from '@vlgym/agents';
import '@vlgym/points24';
import { graphAgent } from './adapters.mjs';

const calling = (name, args, id) => new AIMessage({ content: '', tool_calls: [{ name, args, id }] });

const agent = graphAgent(({ env }) => {
  const model = ({ messages }) => {
    const last = messages.at(-1);
    const next = last instanceof ToolMessage ? calling('act', { action: last.content }, '2') : calling('look', {}, '1');
    return { messages: [next] };
  };
  const tools = () => ({
    messages: [new ToolMessage({ content: env.oracle() === 0 ? '-' : '+', tool_call_id: '1' })],
  });
  const next = ({ messages }) => (messages.at(-1).tool_calls[0].name === 'look' ? 'tools' : END);
  return new StateGraph(MessagesAnnotation)
    .addNode('model', model)
    .addNode('tools', tools)
    .addEdge(START, 'model')
    .addConditionalEdges('model', next)
    .addEdge('tools', 'model')
    .compile();
});
const { successRate, firstFailure } = await evaluate({ env: 'vlgym/NumberLine-v1', agent, episodes: 4 });
console.log(successRate, firstFailure ?? '');
