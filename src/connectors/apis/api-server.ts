import { isJsonObject } from '@errand/base/json-object.ts';
import type { Json } from './api-schema.ts';

const longestUrl = 2000;

function fill(url: string, variables: Json): string {
  return url.replaceAll(/\{([^{}]{1,64})\}/g, (whole, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : null;
    const usual = isJsonObject(variable) ? variable['default'] : null;
    return typeof usual === 'string' && usual.length <= longestUrl ? usual : whole;
  });
}

/**
 * The address of a server that a document describes; null if it is none that calls can go to.
 * @param place the URL of the document, if it has one
 */
export function readServer(server: unknown, place: string | undefined): URL | null {
  if (!isJsonObject(server) || typeof server['url'] !== 'string' || server['url'].length > longestUrl) return null;
  const text = fill(server['url'], isJsonObject(server['variables']) ? server['variables'] : {});
  const url = text.length > longestUrl ? null : URL.parse(text, place);
  return url && /^https?:$/.test(url.protocol) ? url : null;
}
