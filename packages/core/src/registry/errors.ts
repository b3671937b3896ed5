/** Errors of making an environment from its id. */
import { GymError, show } from '../errors.js';
import { closest } from './closest.js';
import { formatEnvId, parseEnvId } from './id.js';
import { installedEnvironments } from './packages/installed-packages.js';
import { registryState } from './state.js';

/** `make()` was asked for an id that no imported package has registered. */
export class UnknownEnvError extends GymError {
  constructor(
    readonly id: string,
    readonly known: readonly string[],
  ) {
    super(`No environment is registered as "${id}".`, { code: 'UNKNOWN_ENV', value: id, hint: hintFor(id, known) });
  }
}

function hintFor(id: string, known: readonly string[]): string {
  const installed = installedEnvironments();
  const missing = installed.find((other) => other.id === id);
  if (missing) return importHint(missing.packageName);

  const { namespace, name } = parseEnvId(id);
  const ids = known.map(parseEnvId);
  const elsewhere = ids.find((other) => other.name === name && other.namespace !== namespace);
  const shortNames = [...registryState().envs.values()].flatMap((registration) => registration.shortNames ?? []);
  const near = elsewhere ? formatEnvId(elsewhere) : closest(id, [...known, ...shortNames]);
  if (near) return `did you mean "${near}"?`;
  const nearInstalled = closest(
    id,
    installed.map((other) => other.id),
  );
  if (nearInstalled) {
    const { packageName } = installed.find((other) => other.id === nearInstalled)!;
    return `did you mean "${nearInstalled}"? ${importHint(packageName)}`;
  }
  if (namespace !== undefined && !ids.some((other) => other.namespace === namespace)) {
    return `nothing is registered under "${namespace}/"; install and import the package that registers it`;
  }
  return 'import the package that registers it';
}

const importHint = (packageName: string) =>
  `\`import '${packageName}'\` registers it (on the command line: --import ${packageName})`;

/** The name exists, but the requested version is newer than all registered ones, or only an unversioned id is registered. */
export class UnknownEnvVersionError extends GymError {
  constructor(
    readonly id: string,
    readonly available: readonly string[],
  ) {
    super(`Unknown environment version "${id}".`, {
      code: 'UNKNOWN_ENV_VERSION',
      value: id,
      expected: available.join(', '),
      hint: `use "${available.at(-1)}", or update the package that defines it`,
    });
  }
}

/** The name exists in newer versions only. */
export class DeprecatedEnvError extends GymError {
  constructor(
    readonly id: string,
    readonly newest: string,
  ) {
    super(`"${id}" is no longer available.`, {
      code: 'DEPRECATED_ENV',
      value: id,
      hint: `use "${newest}" instead, or an older release of the package; scores of two versions are not comparable`,
    });
  }
}

/** `register()` was given an id that conflicts with a registered one. */
export class RegistrationError extends GymError {
  constructor(
    readonly id: string,
    message: string,
    hint: string,
  ) {
    super(message, { code: 'REGISTRATION', value: id, hint });
  }
}

/** The environment does not support the requested render mode. */
export class UnsupportedRenderModeError extends GymError {
  constructor(
    readonly id: string,
    readonly renderMode: string,
    readonly available: readonly string[],
  ) {
    super(`"${id}" has no render mode ${show(renderMode)}.`, {
      code: 'UNSUPPORTED_RENDER_MODE',
      value: renderMode,
      expected: available.length ? available.map((mode) => `'${mode}'`).join(', ') : 'no render mode at all',
    });
  }
}

/** A spec names a wrapper that is not registered. */
export class UnknownWrapperError extends GymError {
  constructor(
    readonly wrapper: string,
    readonly known: readonly string[],
  ) {
    const near = closest(wrapper, known);
    super(`No wrapper is registered as "${wrapper}".`, {
      code: 'UNKNOWN_WRAPPER',
      value: wrapper,
      hint: near ? `did you mean "${near}"?` : `call \`registerWrapper('${wrapper}', factory)\` first`,
    });
  }
}

/** A spec holds a value that JSON cannot represent, or the JSON is not a spec. */
export class SpecJsonError extends GymError {
  constructor(
    readonly path: string,
    value: unknown,
    { expected, hint }: { expected: string; hint?: string },
  ) {
    super(`\`${path}\` of the spec is ${typeof value === 'function' ? 'a function' : show(value)}.`, {
      code: 'SPEC_JSON',
      value,
      expected,
      ...(hint === undefined ? {} : { hint }),
    });
  }
}
