import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { readImages } from './images.mjs';

/**
 * @typedef {{ registry: string, repository: string, tag: string }} ImageName
 */

/** Lists of builds for several platforms before single builds, so that a pin holds on each of them. */
const manifestTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

/**
 * The parts of `name:tag`, as Docker reads it: without a host it is Docker Hub, without an owner one of its official images.
 * @param {string} reference
 * @returns {ImageName}
 */
export function parseImage(reference) {
  const [named = ''] = reference.split('@', 1);
  const [, name = '', tag = 'latest'] = /^(.+?)(?::([^:/]+))?$/.exec(named) ?? [];
  const [first = '', ...rest] = name.split('/');
  if (rest.length > 0 && /[.:]|^localhost$/.test(first)) return { registry: first, repository: rest.join('/'), tag };
  return { registry: 'registry-1.docker.io', repository: rest.length > 0 ? name : `library/${name}`, tag };
}

/**
 * A token for anonymous reading, from where the registry's refusal says.
 * @param {Response} refusal
 */
async function fetchToken(refusal) {
  const challenge = refusal.headers.get('www-authenticate') ?? '';
  const fields = Object.fromEntries([...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
  if (!fields['realm']) throw new Error(`${refusal.url} answers ${refusal.status}`);
  const url = new URL(fields['realm']);
  for (const name of ['service', 'scope']) if (fields[name]) url.searchParams.set(name, fields[name]);
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url.href} answers ${answer.status}`);
  const { token, access_token: accessToken } = /** @type {Record<string, unknown>} */ (await answer.json());
  return String(token ?? accessToken);
}

/**
 * The digest that a registry has for a tag now.
 * @param {ImageName} image
 * @param {string} [scheme] `http:` for a registry of a test
 * @returns {Promise<string>}
 */
export async function fetchDigest({ registry, repository, tag }, scheme = 'https:') {
  const url = `${scheme}//${registry}/v2/${repository}/manifests/${tag}`;
  /** @param {Record<string, string>} headers */
  const ask = (headers) => fetch(url, { method: 'HEAD', headers: { accept: manifestTypes, ...headers } });
  let answer = await ask({});
  if (answer.status === 401) answer = await ask({ authorization: `Bearer ${await fetchToken(answer)}` });
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}`);
  const digest = answer.headers.get('docker-content-digest') ?? '';
  if (!/^sha256:[0-9a-f]{64}$/.test(digest)) throw new Error(`${url} names no digest`);
  return digest;
}

/**
 * Writes the digest behind each image of a checkout.
 * @param {string} root
 * @param {(image: ImageName) => Promise<string>} [findDigest]
 * @returns {Promise<string[]>} the images as they are now
 */
export async function pinImages(root, findDigest = fetchDigest) {
  const pinned = [];
  for (const { file, reference } of readImages(root)) {
    const [named = ''] = reference.split('@', 1);
    const next = `${named}@${await findDigest(parseImage(reference))}`;
    const target = path.join(root, file);
    writeFileSync(target, readFileSync(target, 'utf8').replaceAll(reference, next));
    pinned.push(`${file}: ${next}`);
  }
  return pinned;
}

if (import.meta.main) {
  try {
    for (const line of await pinImages(process.cwd())) console.log(line);
  } catch (error) {
    console.error(`no image was pinned further: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
