import type { AnyAgent } from '@vlgym/agents';

/** The members of an agent, to put others in place of some. Those of a class are on its prototype, and need their own `this`. */
export const methodsOf = (agent: AnyAgent): AnyAgent => ({
  name: agent.name,
  act: (context) => agent.act(context),
  ...(agent.begin && { begin: (episode) => agent.begin!(episode) }),
  ...(agent.end && { end: (outcome) => agent.end!(outcome) }),
  ...(agent.identity && { identity: () => agent.identity!() }),
  ...(agent.actBatch && { actBatch: (contexts) => agent.actBatch!(contexts) }),
});
