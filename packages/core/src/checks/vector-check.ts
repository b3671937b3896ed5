/** Checks that an environment runs in a vector. Masks are read before the first reset too, as learners do. */
import { show } from '../errors.js';
import type { AnyVectorEnv } from '../vector/vector-env.js';
import { maskFindings } from './contract.js';
import type { Finding } from './finding.js';

const STEPS = 3;

export async function vectorFindings(create: () => Promise<AnyVectorEnv>, seed: number): Promise<Finding[]> {
  const failed = (message: string): Finding => ({ code: 'VECTOR_FAILED', severity: 'error', message });
  let doing = 'it was made';
  let envs: AnyVectorEnv | undefined;
  try {
    envs = await create();
    doing = '`actionMasks` was called before the first reset';
    envs.actionMasks();
    doing = '`reset` was called';
    await envs.reset({ seed });
    envs.singleActionSpace.seed(seed);
    for (let step = 0; step < STEPS; step += 1) {
      doing = `step ${step} was taken`;
      const masks = envs.actionMasks();
      const space = envs.singleActionSpace;
      const subject = { actionSpace: space } as Parameters<typeof maskFindings>[0];
      const actions = masks.map((mask) =>
        space.sample(mask && maskFindings(subject, mask).length === 0 ? { mask } : {}),
      );
      const { infos } = await envs.step(actions);
      const lost = infos.find(({ truncationReason }) => truncationReason === 'environment-error');
      if (lost) return [failed(`in a vector the environment failed: ${show(lost.error, 400)}`)];
    }
    return [];
  } catch (reason) {
    const what = reason instanceof Error ? `${reason.name}: ${reason.message}` : show(reason);
    return [failed(`in a vector, when ${doing}, the environment threw ${what}`)];
  } finally {
    await envs?.close();
  }
}
