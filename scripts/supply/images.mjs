import { readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parse } from 'yaml';

/**
 * An image that a file takes from a registry: `name:tag@sha256:…`.
 * @typedef {{ file: string, reference: string }} ImageUse
 */

/** Files that name images, and how each is read. */
const imageFiles = /** @type {const} */ (['Dockerfile', 'compose.yaml', 'deploy/compose/compose.yaml']);

/**
 * Images that may follow their tag, each with the reason.
 * @type {Readonly<Record<string, string>>}
 */
const unpinned = {};

/**
 * The images of a Dockerfile, without those that are its own earlier stages. An argument in a name has its default.
 * @param {string} text
 */
export function listImagesOfDockerfile(text) {
  /** @type {string[]} */
  const stages = ['scratch'];
  const defaults = new Map([...text.matchAll(/^ARG +(\w+)=(\S*)/gm)].map(([, name = '', value = '']) => [name, value]));
  const filled = text.replaceAll(/(?<=^FROM .*)\$\{(\w+)\}/gm, (whole, name) => defaults.get(name) ?? whole);
  return [...filled.matchAll(/^FROM +(?:--\S+ +)*(\S+)(?: +AS +(\S+))?/gim)].flatMap(([, image = '', stage]) => {
    const isStage = stages.includes(image);
    if (stage !== undefined) stages.push(stage);
    return isStage ? [] : [image];
  });
}

/**
 * The images of a compose file; what it builds itself has none.
 * @param {string} text
 */
export function listImagesOfComposition(text) {
  /** @type {{ services: Record<string, { image?: string, build?: unknown }> }} */
  const { services } = parse(text, { merge: true });
  return Object.values(services).flatMap(({ image, build }) => (image === undefined || build !== undefined ? [] : [image]));
}

/**
 * Images that are neither pinned by digest nor listed as exceptions.
 * @param {readonly ImageUse[]} uses
 * @param {Readonly<Record<string, string>>} [exceptions]
 */
export function checkImages(uses, exceptions = unpinned) {
  return uses
    .filter(
      ({ reference }) => !/^[^@\s]+:[^@:/\s]+@sha256:[0-9a-f]{64}$/.test(reference) && !Object.hasOwn(exceptions, reference),
    )
    .map(({ file, reference }) => `${file}: ${reference} is not pinned as name:tag@sha256:…`);
}

/**
 * @param {string} root
 * @returns {ImageUse[]}
 */
export function readImages(root) {
  return imageFiles.flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    const images = file === 'Dockerfile' ? listImagesOfDockerfile(text) : listImagesOfComposition(text);
    return images.map((reference) => ({ file, reference }));
  });
}

if (import.meta.main) {
  const problems = checkImages(readImages(process.cwd()));
  for (const problem of problems) console.error(`${problem}\n    Run node scripts/supply/pin-images.mjs.`);
  if (problems.length > 0) process.exitCode = 1;
}
