/** The response to a request, before any redirect is followed. */
export interface Visit {
  status: number;
  headers: Headers;
  text: string;
  /** Where a redirect leads. */
  location: string;
}

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

function decode(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity);
}

/** The fields of the page's form with this action: hidden ones, and others with a value. */
export function readForm(text: string, action: string): Record<string, string> {
  const form = text.split('<form').find((part) => part.includes(`action="${action}"`)) ?? '';
  const inputs = (form.split('</form>')[0] ?? '').matchAll(/<input[^>]*>/g);
  const fields: Record<string, string> = {};
  for (const [input] of inputs) {
    const name = /name="([^"]*)"/.exec(input)?.[1];
    const value = /value="([^"]*)"/.exec(input)?.[1];
    const isLeftOut = /type="(checkbox|radio)"/.test(input) && !input.includes(' checked');
    if (name !== undefined && value !== undefined && !isLeftOut) fields[name] = decode(value);
  }
  return fields;
}

/** A browser without scripts: it keeps cookies, sends origin headers, and submits forms. */
export class WebBrowser {
  readonly #origin: string;
  readonly cookies = new Map<string, string>();
  /** The `Accept-Language` of the browser. */
  language = '*';

  constructor(origin: string) {
    this.#origin = origin;
  }

  async send(path: string, init: RequestInit = {}): Promise<Visit> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(new URL(path, this.#origin), {
      ...init,
      redirect: 'manual',
      headers: { 'accept-language': this.language, ...(cookie && { cookie }), ...(init.headers as Record<string, string>) },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /max-age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const { status, headers } = response;
    return { status, headers, text: await response.text(), location: headers.get('location') ?? '' };
  }

  post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Visit> {
    const body = new URLSearchParams(fields).toString();
    const type = 'application/x-www-form-urlencoded';
    return this.send(path, { method: 'POST', body, headers: { 'content-type': type, origin: this.#origin, ...headers } });
  }

  /** Fills in and submits the page's form with this action. */
  submit(page: Visit, action: string, fields: Record<string, string> = {}): Promise<Visit> {
    return this.post(action, { ...readForm(page.text, action), ...fields });
  }

  /** Opens a page, following redirects within this service. */
  async open(path: string): Promise<Visit> {
    let visit = await this.send(path);
    for (let hops = 0; visit.location.startsWith('/') && hops < 5; hops++) visit = await this.send(visit.location);
    return visit;
  }

  /** The page after sign-in. */
  async signIn(email: string, password: string, next = '/device'): Promise<Visit> {
    const page = await this.open(`/sign-in?next=${encodeURIComponent(next)}`);
    const answer = await this.submit(page, '/sign-in', { email, password });
    return answer.location.startsWith('/') ? this.open(answer.location) : answer;
  }

  /** Calls an operation of the web application like its pages do. */
  async call(name: string, input: Record<string, unknown> = {}): Promise<{ status: number; body: Record<string, unknown> }> {
    const visit = await this.send(`/web/${name}`, {
      method: 'POST',
      body: JSON.stringify(input),
      headers: { 'content-type': 'application/json', 'x-errand-web': '1', origin: this.#origin },
    });
    return { status: visit.status, body: JSON.parse(visit.text) as Record<string, unknown> };
  }
}
