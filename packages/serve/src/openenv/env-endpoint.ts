/** A served vlgym environment as an endpoint of the OpenEnv server. */
import { GymError } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import type { ServedEnv } from '../session/served-env.js';
import { VERSION } from '../version.js';
import type { OpenEnvEndpoint } from './endpoint.js';
import { EnvSession } from './env-session.js';
import { PICTURE_FORMS, type PictureForm, Pictures } from './pictures.js';
import { FACES, type Face, faceSchemas } from './schemas.js';
import { seedTasks } from './tasks.js';

export interface EnvEndpointOptions {
  /** Unless the client asks for another by `?face=`. */
  readonly face?: Face | undefined;
  /** Unless the client asks for another by `?images=`. */
  readonly images?: PictureForm | undefined;
  readonly snapshots?: boolean | undefined;
}

const ENV_ENDPOINT_OPTIONS = names<EnvEndpointOptions>({ face: 0, images: 0, snapshots: 0 });

export function envEndpoint(served: ServedEnv, options: EnvEndpointOptions = {}): OpenEnvEndpoint {
  checkNames('options', options, ENV_ENDPOINT_OPTIONS);
  const pictures = new Pictures();
  const faceOf = (query: URLSearchParams) => oneOf('face', query.get('face'), FACES, options.face ?? 'text');
  return {
    name: served.name,
    metadata: {
      name: served.name,
      description: served.description,
      readme_content: null,
      version: VERSION,
      author: 'vlgym',
      documentation_url: 'https://github.com/vlgym/vlgym',
    },
    tasks: seedTasks(served.id),
    schemas: (query) => faceSchemas(faceOf(query), served.template),
    open: async (query) => {
      const face = faceOf(query);
      const images = oneOf('images', query.get('images'), PICTURE_FORMS, options.images ?? 'png');
      const { snapshots = false } = options;
      return new EnvSession(await served.open(), { face, images, pictures, snapshots, served });
    },
    image: (hash) => pictures.get(hash),
  };
}

/** @throws {GymError} A value of the address that does not exist. */
function oneOf<T extends string>(name: string, value: string | null, allowed: readonly T[], fallback: T): T {
  if (value === null) return fallback;
  if ((allowed as readonly string[]).includes(value)) return value as T;
  throw new GymError(`Invalid ${name}: "${value}".`, {
    code: 'INVALID_OPTION',
    value,
    expected: allowed.join(', '),
  });
}
