/**
 * Removes keys and passwords from text that is stored or printed: servers repeat them in their errors.
 *
 * Known secrets are matched exactly, others by their shape. Each pattern scans the text once.
 */

export const REDACTED = '[redacted]';

/** A shorter secret is likely to be an ordinary word. */
const MIN_SECRET = 8;

/**
 * Keys with known prefixes: OpenAI, Anthropic and others, Google, GitHub, Hugging Face, Slack, AWS, …; and the fewest
 * characters behind the prefix. Shorter ones are words.
 */
const KEYS: readonly (readonly [RegExp, number])[] = [
  [/\b(?:sk|pk|rk|gsk|pplx|nvapi|glpat|xai|fw)[-_]([\w*-]+)/g, 8],
  [/\bAIza([\w*-]+)/g, 16],
  [/\b(?:gh[pousr]|github_pat|hf|npm|r8)_([\w*]+)/g, 16],
  [/\bxox[a-z]-([\w*-]+)/g, 8],
  [/\b(?:AKIA|ASIA)([0-9A-Z*]+)/g, 12],
  // not inside another key of this form: each run of letters is scanned once
  [/(?<![\w-])eyJ([\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?)/g, 0],
];
const SCHEME = /\b(bearer|basic)\s+([\w.~+/=*-]+)/gi;
const FIELD =
  /(authorization|api[-_]?key|access[-_]?token|client[-_]?secret|password)(["']?\s*[:=]\s*["']?)((?:bearer |basic |token )?[^\s"',;&<>]+)/gi;
const QUERY = /([?&](?:key|token|signature|sig|secret)=)[^\s"'&#<>]+/gi;
const USER = /(:\/\/)[^\s/@]{1,512}@/g;

/**
 * The text without secrets; idempotent.
 *
 * @param knownSecrets  Secrets that the caller knows, e.g. the key it sent.
 */
export function redactSecrets(text: string, knownSecrets: readonly string[] = []): string {
  let result = text;
  // the longest first: one may be part of another
  for (const secret of knownSecrets.toSorted((a, b) => b.length - a.length)) {
    if (secret.length < MIN_SECRET) continue;
    const wellFormed = secret.replace(/\p{Surrogate}/gu, '');
    for (const form of new Set([secret, encodeURIComponent(wellFormed), JSON.stringify(secret).slice(1, -1)])) {
      if (form.length >= MIN_SECRET) result = result.replaceAll(form, REDACTED);
    }
  }
  for (const [pattern, least] of KEYS) {
    result = result.replace(pattern, (whole: string, key: string) => (key.length >= least ? REDACTED : whole));
  }
  return result
    .replace(USER, `$1${REDACTED}@`)
    .replace(QUERY, `$1${REDACTED}`)
    .replace(FIELD, (whole: string, name: string, between: string, value: string) =>
      value.length >= 4 ? `${name}${between}${REDACTED}` : whole,
    )
    .replace(SCHEME, (whole: string, scheme: string, token: string) =>
      // "Bearer authentication" is not a key
      token.length >= 20 || (token.length >= 8 && /\d/.test(token)) ? `${scheme} ${REDACTED}` : whole,
    );
}

/** Values of environment variables that are named like keys, e.g. `OPENAI_API_KEY`: libraries read them on their own. */
export function environmentSecrets(): string[] {
  const entries = Object.entries(globalThis.process?.env ?? {});
  const isSecret = (name: string) => /(?:_KEY|_TOKEN|_SECRET|_PASSWORD)$/i.test(name);
  return entries.flatMap(([name, value]) => (isSecret(name) && value && value.length >= 8 ? [value] : []));
}
