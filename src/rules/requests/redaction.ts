/** What replaces a value that is not kept. */
const hidden = '[redacted]';

const secretName =
  /secret|passw|passphrase|token|credential|authorization|cookie|signature|(?:api|access)[-_]?key|private[-_]?key|^(?:headers|env|environment|variables|key)$/i;
/**
 * Our own credentials and those of others that can be told by their beginning, signed tokens (JWT), private keys, and values of authorization
 * headers.
 */
const secretValue =
  /^(?:sk|si|et|pk|rk|whsec|gh[pousr]|github_pat|xox[abeprs]|xapp)[-_][\w-]{8}|^AIza[\w-]{30}|^AKIA[A-Z\d]{12}|^eyJ[\w-]{8,}\.|-----BEGIN [A-Z ]*PRIVATE KEY|^(?:bearer|basic) \S/i;
/** The bytes of a file: a data URL, or long text in Base64. */
const fileValue = /^data:|^[A-Za-z0-9+/_-]{400,}={0,2}$/;
/** What a URL may say of who asks. */
const urlSecret =
  /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]*@|^[a-z][a-z0-9+.-]*:\/\/\S*[?&][^=&#\s]*(?:secret|passw|token|signature|key)[^=&#\s]*=/i;
/** Names that look secret and are not: they say where a page of a list begins, or name a field. */
const harmlessName = /^(?:cursor|token_type|max_tokens|idempotency_key|key_id|api_key_id|connector_ids)$/i;

const deepest = 32;

function isSecret(name: string, value: unknown): boolean {
  return secretName.test(name) && !harmlessName.test(name) && value !== null && typeof value !== 'boolean';
}

function isHiddenText(text: string): boolean {
  return secretValue.test(text) || fileValue.test(text) || urlSecret.test(text);
}

/** Throws for what is nested too deeply to be worth keeping. */
function hide(value: unknown, note: () => void, depth: number): unknown {
  if (depth > deepest) throw new RangeError('nested too deeply');
  if (typeof value === 'string') {
    if (!isHiddenText(value)) return value;
    note();
    return hidden;
  }
  if (Array.isArray(value)) return value.map((item) => hide(item, note, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (!isSecret(name, inner)) return [name, hide(inner, note, depth + 1)];
      note();
      return [name, hidden];
    }),
  );
}

export interface Redacted {
  text: string;
  /** Whether something was replaced. */
  isRedacted: boolean;
}

/** A JSON body without secrets and the bytes of files; null if it is no JSON. */
export function redactBody(body: string): Redacted | null {
  let isRedacted = false;
  try {
    const shown = hide(JSON.parse(body), () => (isRedacted = true), 0);
    return { text: isRedacted ? JSON.stringify(shown) : body, isRedacted };
  } catch {
    return null;
  }
}

/** The query of a URL in the same way. */
export function redactQuery(query: string): Redacted {
  let isRedacted = false;
  const pairs = [...new URLSearchParams(query)].map(([name, value]): [string, string] => {
    if (!isSecret(name, value) && !isHiddenText(value)) return [name, value];
    isRedacted = true;
    return [name, hidden];
  });
  return { text: isRedacted ? new URLSearchParams(pairs).toString() : query, isRedacted };
}
