/** The environment behind a server: its id, how it is made for a session, and its template for spaces and words. */
import { type AnyEnv, findRegistration, GymError, make, parseEnvId } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import { threadEnvs } from '@vlgym/core/vector';
import { ServedEpisode } from './served-episode.js';

export interface ServedEnvOptions {
  readonly id: string;
  /** Name in paths and lists; default the last part of the id, e.g. `Points24-v1`. */
  readonly name?: string | undefined;
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  readonly maxEpisodeSteps?: number | undefined;
  /**
   * True: every session has its own thread. Default: threads for an environment that takes longer than 50 ms to reset and
   * step, time after time, without waiting for something else.
   */
  readonly threads?: boolean | undefined;
}

/** Milliseconds that a server may be busy with one call. */
const BLOCKING = 50;

const SERVED_ENV_CREATE_OPTIONS = names<ServedEnvOptions>({
  id: 0,
  name: 0,
  options: 0,
  maxEpisodeSteps: 0,
  threads: 0,
});

export class ServedEnv {
  private constructor(
    readonly id: string,
    readonly name: string,
    readonly title: string,
    /** For spaces, dialogue and capabilities; nobody plays in it. */
    readonly template: AnyEnv,
    readonly threaded: boolean,
    readonly settings: Pick<ServedEnvOptions, 'options' | 'maxEpisodeSteps'>,
  ) {}

  /** @throws what `make` throws. */
  static async create(given: ServedEnvOptions): Promise<ServedEnv> {
    checkNames('options', given, SERVED_ENV_CREATE_OPTIONS);
    const { id, name, options, maxEpisodeSteps, threads } = given;
    const registration = findRegistration(id);
    const settings = { ...(options && { options }), ...(maxEpisodeSteps !== undefined && { maxEpisodeSteps }) };
    const template: AnyEnv = await make(id, settings);
    const inThreads = threads ?? (registration.module !== undefined && (await blocks(template)));
    if (inThreads && registration.module === undefined) {
      await template.close();
      throw new GymError(`"${id}" cannot run in threads.`, {
        code: 'WORKER_NEEDS_MODULE',
        value: id,
        hint: 'its registration names no module to import; serve it without --threads',
      });
    }
    return new ServedEnv(
      registration.id,
      name ?? nameOf(registration.id),
      registration.title ?? registration.id,
      template,
      inThreads,
      settings,
    );
  }

  /** A fresh episode in a fresh environment, of one side of the content split if there is one. */
  async open(split?: 'train' | 'test'): Promise<ServedEpisode> {
    const { id } = this;
    const side = split && findRegistration(id).splits?.[split];
    const settings = side ? { ...this.settings, options: { ...this.settings.options, ...side } } : this.settings;
    const open = this.threaded ? threadEnvs(id, { ...settings, threads: 1 }) : () => make(id, settings);
    return new ServedEpisode(await open(), id);
  }

  /** One sentence about the environment. */
  get description(): string {
    const { actionSpace, observationSpace } = this.template;
    return `${this.title}: observes ${observationSpace.describe()}; acts with ${actionSpace.describe()}.`.slice(0, 500);
  }

  async close(): Promise<void> {
    await this.template.close();
  }
}

const nameOf = (id: string): string => {
  const { name, version } = /:\/\//.test(id)
    ? { name: 'remote', version: undefined }
    : parseEnvId(id.replace(/^[a-z]+:/, ''));
  return version === undefined ? name : `${name}-v${version}`;
};

/**
 * Whether a reset and a step keep this thread busy for long. Asynchronous ones wait elsewhere. The first round does not
 * count: it compiles and loads. A quick round shows that the environment is quick: where the machine does other things, one
 * may take long through no fault of the server.
 */
async function blocks(env: AnyEnv): Promise<boolean> {
  for (let round = 0; round < 3; round += 1) {
    const start = performance.now();
    try {
      const first = env.reset({ seed: 0 });
      if ('then' in first) {
        await first;
        return false;
      }
      const step = env.step(env.actionSpace.sample());
      if ('then' in step) await step.then(undefined, () => {});
    } catch {
      // only time counts here: a sampled action may be refused, and a failing reset is reported to who asks for one
    }
    if (round > 0 && performance.now() - start <= BLOCKING) return false;
  }
  return true;
}
