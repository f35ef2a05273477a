import { isJsonObject } from '@errand/base/json-object.ts';

/** What a server asks clients to repeat in HTTP headers must be a plain value with a header name (MCP 2026-07-28, Streamable HTTP). */
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const plainTypes: readonly unknown[] = ['string', 'integer', 'boolean'];
/** Values of these keywords are data, not schemas. */
const dataKeywords = new Set(['const', 'default', 'enum', 'examples']);

type Schema = Record<string, unknown>;

/** Whether the `x-mcp-header` marks of an input schema are valid; a client must not offer a tool with invalid ones. */
export function hasValidHeaderMarks(inputSchema: Schema): boolean {
  const names = new Set<string>();
  const isValidMark = ({ 'x-mcp-header': mark, type }: Schema) => {
    if (typeof mark !== 'string' || !headerName.test(mark) || names.has(mark.toLowerCase())) return false;
    names.add(mark.toLowerCase());
    return plainTypes.includes(type);
  };
  const isValid = (schema: unknown, mayMark: boolean, isRoot = false): boolean => {
    if (Array.isArray(schema)) return schema.every((each) => isValid(each, false));
    if (!isJsonObject(schema)) return true;
    if ('x-mcp-header' in schema && (!mayMark || isRoot || !isValidMark(schema))) return false;
    return Object.entries(schema).every(([keyword, value]) => {
      if (dataKeywords.has(keyword)) return true;
      if (keyword === 'properties' && isJsonObject(value)) return Object.values(value).every((each) => isValid(each, mayMark));
      if (keyword === '$defs' || keyword === 'definitions' || keyword === 'patternProperties' || keyword === 'dependentSchemas')
        return isJsonObject(value) ? Object.values(value).every((each) => isValid(each, false)) : true;
      return isValid(value, false);
    });
  };
  return isValid(inputSchema, true, true);
}
