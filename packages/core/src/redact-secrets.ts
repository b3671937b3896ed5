/**
 * Takes keys and passwords out of texts that are stored or printed: servers repeat them in their errors.
 *
 * Exact where the secret is known, by shape elsewhere. Each pattern reads its text once, whatever it holds.
 */

export const REDACTED = '[redacted]';

/** Below this, a secret is more likely a word that a message needs. */
const MIN_SECRET = 8;

/** Keys that say what they are by how they begin: OpenAI, Anthropic and others, Google, GitHub, Hugging Face, Slack, AWS, … */
const KEYS = [
  /\b(?:sk|pk|rk|gsk|pplx|nvapi|glpat|xai|fw)[-_][\w*-]{8,}/g,
  /\bAIza[\w*-]{16,}/g,
  /\b(?:gh[pousr]|github_pat|hf|npm|r8)_[\w*]{16,}/g,
  /\bxox[a-z]-[\w*-]{8,}/g,
  /\b(?:AKIA|ASIA)[0-9A-Z*]{12,}/g,
  // only where no key of this kind has begun: each run of letters is read once
  /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g,
];
const SCHEME = /\b(bearer|basic)\s{1,8}([\w.~+/=*-]{8,})/gi;
const FIELD =
  /\b((?:proxy-)?authorization|x-api-key|api[-_]?key|apikey|access[-_]?token|client[-_]?secret|password)(["']?\s{0,8}[:=]\s{0,8}["']?)((?:bearer |basic |token )?[^\s"',;&<>]{4,})/gi;
const QUERY = /([?&](?:key|token|signature|sig|secret)=)[^\s"'&#<>]+/gi;
const USER = /(:\/\/)[^\s/@]{1,512}@/g;

/**
 * The text without secrets; doing it twice changes nothing more.
 *
 * @param ownSecrets  Those that the caller knows, e.g. the key it sent.
 */
export function redactSecrets(text: string, ownSecrets: readonly string[] = []): string {
  let result = text;
  // the longest first: one may be a part of another
  for (const secret of ownSecrets.toSorted((a, b) => b.length - a.length)) {
    if (secret.length < MIN_SECRET) continue;
    const wellFormed = secret.replace(/\p{Surrogate}/gu, '');
    for (const form of new Set([secret, encodeURIComponent(wellFormed), JSON.stringify(secret).slice(1, -1)])) {
      if (form.length >= MIN_SECRET) result = result.replaceAll(form, REDACTED);
    }
  }
  for (const pattern of KEYS) result = result.replace(pattern, REDACTED);
  return result
    .replace(USER, `$1${REDACTED}@`)
    .replace(QUERY, `$1${REDACTED}`)
    .replace(FIELD, (_, name: string, between: string) => `${name}${between}${REDACTED}`)
    .replace(SCHEME, (whole: string, scheme: string, token: string) =>
      // "Bearer authentication" is no key
      /\d/.test(token) || token.length >= 20 ? `${scheme} ${REDACTED}` : whole,
    );
}

/** Values of environment variables that are named like keys, e.g. `OPENAI_API_KEY`: what libraries read by themselves. */
export function environmentSecrets(): string[] {
  const entries = Object.entries(globalThis.process?.env ?? {});
  const isSecret = (name: string) => /(?:_KEY|_TOKEN|_SECRET|_PASSWORD)$/i.test(name);
  return entries.flatMap(([name, value]) => (isSecret(name) && value && value.length >= 8 ? [value] : []));
}
