import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createFolder, removeFolder } from '../process/leftovers.ts';
import type { WebhookRequest } from './webhook-verifier.ts';

const run = promisify(execFile);

/** Prefix of an ed25519 public key in DER; the key itself follows. */
const ed25519Head = Buffer.from('302a300506032b6570032100', 'hex');

async function verifyFiles(
  key: string,
  files: { content: string | Buffer; signature: Buffer },
  args: string[],
): Promise<boolean> {
  const folder = createFolder('openssl');
  const place = (name: string) => join(folder, name);
  writeFileSync(place('key.pem'), key);
  writeFileSync(place('content'), files.content);
  writeFileSync(place('signature'), files.signature);
  try {
    await run(
      'openssl',
      args.map((arg) => (['key.pem', 'content', 'signature'].includes(arg) ? place(arg) : arg)),
    );
    return true;
  } catch {
    return false;
  } finally {
    removeFolder(folder);
  }
}

/** Verifies `X-Webhook-Signature` with the command-line program `openssl`. */
export function verifyRsaByOpenssl(
  { headers, body }: WebhookRequest,
  registeredUrl: string,
  publicPem: string,
): Promise<boolean> {
  const digest = createHash('sha256').update(body, 'utf8').digest('hex');
  const content = `${String(headers['x-webhook-timestamp'])}.${registeredUrl}.${digest}`;
  const signature = Buffer.from(String(headers['x-webhook-signature']), 'base64');
  return verifyFiles(publicPem, { content, signature }, [
    'dgst',
    '-sha256',
    '-verify',
    'key.pem',
    '-signature',
    'signature',
    'content',
  ]);
}

/** Verifies `webhook-signature` with the command-line program `openssl`. */
export function verifyStandardByOpenssl({ headers, body }: WebhookRequest, publicKey: string): Promise<boolean> {
  const der = Buffer.concat([ed25519Head, Buffer.from(publicKey.slice('whpk_'.length), 'base64')]);
  const pem = `-----BEGIN PUBLIC KEY-----\n${der.toString('base64')}\n-----END PUBLIC KEY-----\n`;
  const content = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const signature = Buffer.from(String(headers['webhook-signature']).slice('v1a,'.length), 'base64');
  const args = ['pkeyutl', '-verify', '-rawin', '-pubin', '-inkey', 'key.pem', '-in', 'content', '-sigfile', 'signature'];
  return verifyFiles(pem, { content, signature }, args);
}
