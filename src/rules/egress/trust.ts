/**
 * Nothing distinguishes a user's instruction from one in a page. Instead, restrictions apply to what can be done with
 * both in one task: private data and untrusted content. Then nothing reaches a host that the user has not named
 * (docs/internals/decisions/0020-egress-depends-on-what-a-task-has-read.md).
 */

/** `private`: it may contain private data; `untrusted`: its author is unknown. */
export type Taint = 'private' | 'untrusted';

/** What a task has seen, and what its user has named. */
export interface Trust {
  isPrivate: boolean;
  isUntrusted: boolean;
  /** The user has attached files, which tools find in the workspace. */
  hasFiles: boolean;
  /** Hosts that the user's messages name: `example.com` for its web pages (ports 80 and 443), `example.com:8080` for that port alone. */
  hosts: readonly string[];
}

export const freshTrust: Trust = { isPrivate: false, isUntrusted: false, hasFiles: false, hosts: [] };

const maxHosts = 200;

const inAddress = /https?:\/\/([^\s/?#"'<>()[\]{}\\^`|]+)/gi;
const bareName = /(?<![\w.@/-])((?:[a-z0-9](?:[a-z0-9-]{0,62})\.)+[a-z]{2,24})(?![\w@-])(:\d{1,5}(?!\d))?/gi;

/** File extensions that look like top-level domains. */
const fileEndings =
  /\.(md|py|sh|zip|rs|pl|cc|app|mov|so|ps|ai|js|ts|txt|csv|json|html|pdf|docx?|xlsx?|pptx?|png|jpe?g|gif|svg|mp[34]|wav)$/i;

/** Where a connection goes. */
export interface HostPort {
  host: string;
  port: number;
}

const webPorts = [80, 443];

/** A host as the trust of a task lists it: without `www.`, and with its port unless it is a usual one of the web. */
function nameHost({ host, port }: HostPort): string {
  const name = host.replace(/\.$/, '').replace(/^www\./, '');
  return webPorts.includes(port) ? name : `${name}:${port}`;
}

/** Where a URL leads, also one of which only the authority is known. */
export function placeOf({ hostname, port, protocol }: URL): HostPort {
  return { host: hostname, port: Number(port) || (protocol === 'https:' ? 443 : 80) };
}

function readHost(text: string): string | null {
  const url = URL.parse(`http://${text.slice(text.lastIndexOf('@') + 1).replace(/[.,;:!]+$/, '')}/`);
  return url ? nameHost(placeOf(url)) : null;
}

/** The hosts named in a text, in URLs or alone. */
export function findHosts(text: string): string[] {
  const named = [...text.matchAll(inAddress)].map(([, host = '']) => readHost(host));
  const bare = [...text.matchAll(bareName)].flatMap(([, name = '', port = '']) =>
    fileEndings.test(name) ? [] : [readHost(`${name}${port}`) ?? readHost(name)],
  );
  return [...new Set([...named, ...bare].filter((host) => host !== null))];
}

export function addHosts(trust: Trust, text: string): Trust {
  const found = findHosts(text).filter((host) => !trust.hosts.includes(host));
  return found.length === 0 ? trust : { ...trust, hosts: [...trust.hosts, ...found].slice(-maxHosts) };
}

export function addTaints(trust: Trust, taints: readonly Taint[]): Trust {
  const isPrivate = trust.isPrivate || taints.includes('private');
  const isUntrusted = trust.isUntrusted || taints.includes('untrusted');
  return isPrivate === trust.isPrivate && isUntrusted === trust.isUntrusted ? trust : { ...trust, isPrivate, isUntrusted };
}

/** The taints that pass from one task to another with its messages. */
export function listTaints({ isPrivate, isUntrusted }: Trust): Taint[] {
  return [...(isPrivate ? (['private'] as const) : []), ...(isUntrusted ? (['untrusted'] as const) : [])];
}

const refusal = `This task has read private material and pages that strangers wrote. From here on it reaches only hosts that its user
has named, so that no page can have the one sent to the other.`;

/** Null if the task may connect there; otherwise the reason, in words for a model. */
export function refuseHost(trust: Trust, place: HostPort, isInteractive: boolean): string | null {
  if (!trust.isPrivate || !trust.isUntrusted || trust.hosts.includes(nameHost(place))) return null;
  const name = webPorts.includes(place.port) ? place.host : `${place.host}:${place.port}`;
  const remedy = isInteractive
    ? `Ask the user with ask_user to answer with the name "${name}" if it may be reached.`
    : 'Go on without it.';
  return `${name} was not reached. ${refusal} ${remedy}`;
}
