/** The servers with sessions: OpenEnv and `vlgym.env/1`, in one process; their ports come as one line of JSON. It runs until it is killed. */
import '@vlgym/points24';
import { EnvServer } from '@vlgym/gymnasium/server';
import { ServedEnv, serve } from '@vlgym/serve';

const size = { height: 400, width: 400 };
const id = 'vlgym/Blackjack-v1';
const openEnv = await serve({ envs: [{ id, options: { size } }] });
const frames = new EnvServer([await ServedEnv.create({ id, threads: false })]);
const portOf = (address: string) => Number(new URL(address).port);
process.stdout.write(
  `${JSON.stringify({ openEnv: portOf(openEnv.address), frames: portOf(await frames.listen()) })}\n`,
);
