import { domainToASCII } from 'node:url';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { evaluateDmarc } from 'mailauth/lib/dmarc/index.js';
import { spf } from 'mailauth/lib/spf/index.js';
import { type SenderResult, senderResults } from '../../rules/triggers/mail-body.ts';

/** Records of a name, in the forms of `node:dns`; rejects with an error that has its `code`. */
export type Lookup = (name: string, type: string) => Promise<string[][] | string[]>;

/** What is known of a mail besides its bytes. */
export interface Envelope {
  /** Envelope sender in lower case; '' for none. */
  envelopeFrom: string;
  /** The address of the server that has sent it; null if that is only a relay of the operator. */
  clientAddress: string | null;
  /** What that server calls itself. */
  clientName: string;
}

export interface SignedMail extends Envelope {
  bytes: Uint8Array;
  /** The address in its header, as shown to the owner of a trigger. */
  from: string;
  /** How many signatures it has. */
  signatures: number;
  /** The domain of this service's addresses. */
  ownDomain: string;
}

export type SenderProof = Record<'spf' | 'dkim' | 'dmarc', SenderResult>;

/** More signatures than any mail has; each costs a query and a computation. */
const maxSignatures = 10;

/** A result in the words of this service: `policy` means that a valid signature is too weak. */
function nameResult(result: string): SenderResult {
  if (result === 'policy') return 'fail';
  return senderResults.find((one) => one === result) ?? 'none';
}

async function checkSpf({ envelopeFrom, clientAddress, clientName, ownDomain }: SignedMail, resolver: Lookup) {
  if (clientAddress === null || envelopeFrom === '') return { result: 'none' as const, domains: [] };
  const { domain, status } = await spf({ sender: envelopeFrom, ip: clientAddress, helo: clientName, mta: ownDomain, resolver });
  const result = nameResult(status.result);
  return { result, domains: result === 'pass' ? [domain] : [] };
}

/** Several signatures prove as much as the best of them. */
function combineSignatures(results: readonly string[]): SenderResult {
  const named = results.map(nameResult);
  return (['pass', 'temperror', 'fail', 'neutral', 'permerror'] as const).find((one) => named.includes(one)) ?? 'none';
}

async function checkDkim({ bytes, signatures, envelopeFrom }: SignedMail, resolver: Lookup) {
  const isTooMuch = signatures > maxSignatures;
  const noKeys: Lookup = () => Promise.reject(Object.assign(new Error('too many signatures'), { code: 'ENODATA' }));
  const verified = await dkimVerify(Buffer.from(bytes), { resolver: isTooMuch ? noKeys : resolver, sender: envelopeFrom });
  const result = isTooMuch ? ('permerror' as const) : combineSignatures(verified.results.map(({ status }) => status.result));
  return { ...verified, result };
}

const domainOf = (address: string) => domainToASCII(address.slice(address.lastIndexOf('@') + 1));

/** Whether the server, the signatures, and the policy of the domain in its header prove who has sent a mail. */
export async function proveSender(mail: SignedMail, resolver: Lookup): Promise<SenderProof> {
  const [server, signed] = await Promise.all([checkSpf(mail, resolver), checkDkim(mail, resolver)]);
  const { response, reason } = await evaluateDmarc({
    headerFrom: signed.headerFrom ?? [],
    ...(signed.fromFields !== undefined && { fromFields: signed.fromFields }),
    spfDomains: server.domains,
    dkimDomains: signed.results.flatMap(({ signingDomain, status: { result, aligned, underSized } }) =>
      result === 'pass' && signingDomain !== undefined
        ? [{ domain: signingDomain, ...(aligned !== undefined && { aligned }), ...(underSized !== undefined && { underSized }) }]
        : [],
    ),
    resolver,
  });
  const proof = { spf: server.result, dkim: signed.result };
  if (!response) return { ...proof, dmarc: reason === 'no-author-domain' ? 'none' : 'permerror' };
  // Two programs may read a malformed header differently: only the address that is shown is proven.
  const isShown = domainToASCII(response.status.header?.from ?? '') === domainOf(mail.from);
  const named = nameResult(response.status.result);
  // What had no answer might have proven it.
  const isOpen = server.result === 'temperror' || signed.results.some(({ status }) => status.result === 'temperror');
  const result = named === 'fail' && isOpen ? 'temperror' : named;
  return { ...proof, dmarc: result === 'pass' && !isShown ? 'permerror' : result };
}
