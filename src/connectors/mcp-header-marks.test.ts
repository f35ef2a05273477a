import { describe, expect, it } from 'vitest';
import { hasValidHeaderMarks } from './mcp-header-marks.ts';

const region = { type: 'string', 'x-mcp-header': 'Region' };

describe('marks of headers in an input schema', () => {
  it.each<[string, Record<string, unknown>]>([
    ['none', { properties: { a: { type: 'number' } } }],
    ['a plain property', { properties: { region } }],
    ['a nested property', { properties: { a: { type: 'object', properties: { region } } } }],
    ['a property of that name', { properties: { 'x-mcp-header': { type: 'string' } } }],
    ['data that looks like one', { properties: { a: { const: { 'x-mcp-header': '' } } } }],
  ])('are valid: %s', (_, schema) => expect(hasValidHeaderMarks(schema)).toBe(true));

  it.each<[string, Record<string, unknown>]>([
    ['the whole input', { type: 'string', 'x-mcp-header': 'A' }],
    ['an empty name', { properties: { a: { type: 'string', 'x-mcp-header': '' } } }],
    ['no name', { properties: { a: { type: 'string', 'x-mcp-header': 1 } } }],
    ['a line break', { properties: { a: { type: 'string', 'x-mcp-header': 'A\r\nB' } } }],
    ['a list', { properties: { a: { type: 'array', 'x-mcp-header': 'A' } } }],
    ['a fraction', { properties: { a: { type: 'number', 'x-mcp-header': 'A' } } }],
    ['a name twice', { properties: { a: region, b: { ...region, 'x-mcp-header': 'REGION' } } }],
    ['an item of a list', { properties: { a: { type: 'array', items: region } } }],
    ['a branch', { anyOf: [{ properties: { region } }] }],
    ['a definition', { $defs: { a: region } }],
  ])('are invalid: %s', (_, schema) => expect(hasValidHeaderMarks(schema)).toBe(false));
});
