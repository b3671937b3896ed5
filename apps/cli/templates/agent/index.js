/** My name: the expert where it knows a way, else a draw. Replace `choose`; the rest is what every agent has. */
import { turnFromAction } from '@vlgym/agents/model';

/** Everything that may be read is in the context: observation, info, history, the environment's spaces, a generator. */
function choose({ env }) {
  return env.oracle?.() ?? env.actionSpace.sample();
}

export default {
  name: 'my-name',
  act: (context) => turnFromAction(context, choose(context)),
};
