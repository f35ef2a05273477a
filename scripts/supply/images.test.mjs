import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { checkImages, listImagesOfComposition, listImagesOfDockerfile, readImages } from './images.mjs';
import { fetchDigest, parseImage, pinImages } from './pin-images.mjs';

const digest = `sha256:${'a1'.repeat(32)}`;

it('every image of this checkout is pinned by its digest', () => {
  expect(readImages(process.cwd())).not.toEqual([]);
  expect(checkImages(readImages(process.cwd()))).toEqual([]);
});

it('an image without a tag or a digest is refused, unless it is listed', () => {
  const uses = [`node:24@${digest}`, 'node:24', `node@${digest}`, 'node:24@sha256:123'].map((reference) => ({
    file: 'Dockerfile',
    reference,
  }));
  expect(checkImages(uses, {}).map((problem) => problem.split(' ')[1])).toEqual([
    'node:24',
    `node@${digest}`,
    'node:24@sha256:123',
  ]);
  expect(checkImages([{ file: 'Dockerfile', reference: 'node:24' }], { 'node:24': 'a reason' })).toEqual([]);
});

it('stages of the Dockerfile and services that are built are no images of a registry', () => {
  expect(
    listImagesOfDockerfile('FROM --platform=x node:24 AS base\nRUN x\nFROM base AS next\nFROM next\nFROM scratch\n'),
  ).toEqual(['node:24']);
  expect(listImagesOfDockerfile('ARG KIND=full\nFROM node:24 AS full\nFROM ${KIND}\n')).toEqual(['node:24']);
  expect(listImagesOfComposition('services:\n  a: { build: ., image: a }\n  b: { image: "postgres:18" }\n')).toEqual([
    'postgres:18',
  ]);
});

it('names are read as Docker reads them', () => {
  expect(parseImage('node')).toEqual({ registry: 'registry-1.docker.io', repository: 'library/node', tag: 'latest' });
  expect(parseImage(`me/app:1@${digest}`)).toEqual({ registry: 'registry-1.docker.io', repository: 'me/app', tag: '1' });
  expect(parseImage('localhost:5000/me/app:1')).toEqual({ registry: 'localhost:5000', repository: 'me/app', tag: '1' });
});

it('an image is pinned to the digest that its registry names, with a token if it wants one', async () => {
  const registry = createServer((request, response) => {
    const address = /** @type {import('node:net').AddressInfo} */ (registry.address());
    if (request.url?.startsWith('/token')) {
      response.end(JSON.stringify({ token: new URL(request.url, 'http://x').searchParams.get('scope') }));
    } else if (request.headers.authorization !== 'Bearer pull-me') {
      const realm = `http://127.0.0.1:${address.port}/token`;
      response.writeHead(401, { 'www-authenticate': `Bearer realm="${realm}",service="s",scope="pull-me"` }).end();
    } else if (request.url === '/v2/me/app/manifests/1') {
      response.writeHead(200, { 'docker-content-digest': digest }).end();
    } else response.writeHead(404).end();
  });
  registry.listen(0, '127.0.0.1');
  await once(registry, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (registry.address());
  const folder = mkdtempSync(path.join(tmpdir(), 'images-'));
  const findDigest = (/** @type {import('./pin-images.mjs').ImageName} */ image) => fetchDigest(image, 'http:');
  try {
    const image = `127.0.0.1:${port}/me/app:1`;
    writeFileSync(path.join(folder, 'Dockerfile'), `FROM ${image}@sha256:${'0'.repeat(64)} AS base\n`);
    writeFileSync(path.join(folder, 'compose.yaml'), `services: { other: { image: "${image}" } }\n`);
    mkdirSync(path.join(folder, 'deploy/compose'), { recursive: true });
    writeFileSync(path.join(folder, 'deploy/compose/compose.yaml'), 'services: { built: { build: . } }\n');
    await pinImages(folder, findDigest);
    expect(readFileSync(path.join(folder, 'Dockerfile'), 'utf8')).toBe(`FROM ${image}@${digest} AS base\n`);
    expect(checkImages(readImages(folder))).toEqual([]);

    writeFileSync(path.join(folder, 'Dockerfile'), `FROM 127.0.0.1:${port}/me/missing:1\n`);
    await expect(pinImages(folder, findDigest)).rejects.toThrow('answers 404');
  } finally {
    rmSync(folder, { recursive: true });
    registry.close();
    registry.closeAllConnections();
  }
});
