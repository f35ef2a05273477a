import { Ajv } from 'ajv';
import { noUse } from '../../rules/files/storage-quota.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toolContext } from '../../../test/support/tasks/tool-context.ts';
import { systemClock } from '@errand/base/clock.ts';
import { silentLog } from '@errand/base/log.ts';
import { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import { openWorkspace } from '@errand/sandbox/workspace';
import type { Blobs } from '../../store/blobs/blobs.ts';
import type { SafeFetch } from '@errand/base/net/safe-fetch.ts';
import type { Sandbox } from '@errand/sandbox';
import { extraPrograms, usualModules, usualPrograms } from '@errand/sandbox/furnishings';
import { createDocumentReader } from '../files/readers/document-reader.ts';
import { createReadTask } from '../tasks/read-task.ts';
import { createSubtaskTool } from '../tasks/create-subtask.ts';
import { resultTools } from '../deliverable-tools.ts';
import { standardTools } from '../standard-tools.ts';
import type { Tool } from './tool.ts';
import type { Schema } from './input-schema.ts';
import { readFullSchema, slimSchema } from './tool-schema.ts';
import { createToolbox } from './toolbox.ts';
import { systemPrompt } from '../../agent/system-prompt.ts';
import { webTools } from '../web-tools.ts';

const unused = () => Promise.reject(new Error('is not to be called'));

/** A machine that has everything. */
const sandbox: Sandbox = {
  languages: ['python', 'javascript'],
  programs: ['python3', 'node', 'espeak-ng', ...usualPrograms.flatMap(({ names }) => names), ...extraPrograms],
  modules: Object.keys(usualModules),
  run: unused,
  close: unused,
};
const httpClient: SafeFetch = { request: unused, stream: unused } as unknown as SafeFetch;
const blobs = {} as Blobs;
const tools: Tool[] = [
  ...standardTools(systemClock, sandbox, undefined, undefined, { run: unused }),
  ...webTools({
    httpClient,
    documents: createDocumentReader(systemClock),
    engine: { name: 'any', search: unused },
    browser: { sandbox, program: 'chromium', clock: systemClock, log: silentLog, channel: null, box: new SealedBox('secret') },
  }),
  ...resultTools({ blobs, limit: noUse, press: null, findContentUrl: unused }),
  createSubtaskTool,
  createReadTask(unused),
];
const toolbox = createToolbox(tools, silentLog);
const everything = toolbox.definitions({ user: true, subtasks: true, skills: true, references: true, images: true });
const plain = toolbox.definitions({ user: false, subtasks: true, skills: true, references: false, images: false });

/** As sent to providers. */
function measure({ name, description, inputSchema: parameters }: (typeof everything)[number]): number {
  return Buffer.byteLength(JSON.stringify({ type: 'function', function: { name, description, parameters } })) + 1;
}

describe('what every request to a model carries', () => {
  it('is at most 12 KB of system prompt and definitions for a plain task, and at most 1 KB of one tool', () => {
    const sizes = plain.map((definition) => ({ name: definition.name, bytes: measure(definition) }));
    const sum = sizes.reduce((bytes, each) => bytes + each.bytes, 0);
    const largest = sizes.toSorted((a, b) => b.bytes - a.bytes).slice(0, 6);
    const lines = largest.map(({ name, bytes }) => `${name} ${bytes}`).join(', ');
    expect(largest[0]?.bytes, lines).toBeLessThanOrEqual(1024);
    const prompt = systemPrompt({ locale: 'en', isInteractive: false, skills: [], taskConfig: {} });
    const whole = sum + Buffer.byteLength(prompt);
    expect(whole, `${sum} of definitions, the largest ${lines}`).toBeLessThanOrEqual(12 * 1024);
  });

  it('says of every tool in at most 300 characters what it does, and of the shell in 600 also what is installed', () => {
    for (const { name, description } of everything) {
      expect(description.length, name).toBeGreaterThan(30);
      expect(description.length, name).toBeLessThanOrEqual(name === 'run_shell' ? 600 : 300);
    }
  });

  it('holds nothing that only the check needs', () => {
    const text = JSON.stringify(everything.map(({ inputSchema }) => inputSchema));
    expect(text).not.toMatch(/\$schema|additionalProperties":false|m(?:in|ax)(?:imum|Length|Items)|pattern|"default":|"told"/);
  });
});

/** Values of a schema, as used by validation. */
function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  const { type, properties = {}, required = [], items, prefixItems } = schema;
  const limit = (keyword: string) => (typeof schema[keyword] === 'number' ? schema[keyword] : undefined);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (alternatives) return fc.oneof(...alternatives.map(valuesOf));
  if (type === 'object') {
    const fields = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, valuesOf(field)]));
    return fc.record(fields, { requiredKeys: [...required] });
  }
  if (typeof type === 'object') return fc.oneof(...type.map((each) => valuesOf({ ...schema, type: each })));
  if (prefixItems) return fc.tuple(...prefixItems.map(valuesOf));
  if (type === 'array') {
    return fc.array(items ? valuesOf(items) : fc.anything(), {
      minLength: limit('minItems') ?? 0,
      maxLength: Math.min(limit('maxItems') ?? 4, 4),
    });
  }
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  const range = { min: limit('minimum') ?? -1000, max: Math.min(limit('maximum') ?? 1000, 1_000_000) };
  if (type === 'integer') return fc.integer(range);
  if (type === 'number') return fc.double({ ...range, noNaN: true });
  if (schema['format'] === 'uri') return fc.webUrl();
  if (typeof schema['pattern'] === 'string') return fc.stringMatching(new RegExp(schema['pattern']));
  return fc.stringMatching(/^[a-z]{1,8}(\.[a-z]{3})?$/);
}

describe.each(tools.map((tool) => [tool.name, tool] as const))('the definition of %s', (_, tool) => {
  it('takes everything that the tool takes, with all of its fields, so that no server keeps a model from writing them', () => {
    const full = readFullSchema(tool);
    const conforms = new Ajv({ strict: false, allowUnionTypes: true }).compile(slimSchema(full));
    const property = fc.property(valuesOf(full), (input) => {
      // A tool with rules across its fields refuses most of what is made at random; then more is made.
      fc.pre(tool.input.safeParse(input).success);
      expect(conforms(input), JSON.stringify([input, conforms.errors])).toBe(true);
    });
    fc.assert(property, { numRuns: 40 });
  });

  it('leaves out no field without naming it, and explain_tool shows every one', async () => {
    const full = readFullSchema(tool);
    const definition = everything.find(({ name }) => name === tool.name);
    if (tool.isSpare) return expect(definition).toBeUndefined();
    for (const field of Object.keys(full.properties ?? {})) expect(JSON.stringify(definition)).toContain(field);
    const workspace = openWorkspace('/nowhere');
    const call = { tool: 'explain_tool', input: { tool: tool.name } };
    const { status, output } = await toolbox.runCall(call, toolContext(workspace, { callId: 'c1' }));
    expect(status).toBe('success');
    const listFields = ({ properties = {}, items, anyOf, oneOf }: Schema): string[] => [
      ...Object.keys(properties),
      ...[...Object.values(properties), ...(items ? [items] : []), ...(anyOf ?? oneOf ?? [])].flatMap(listFields),
    ];
    const text = output.includes('.tool-output/') ? '' : output;
    for (const field of listFields(full)) expect(text).toMatch(new RegExp(`\\b${field}\\??:`));
  });
});

describe('a wrong input', () => {
  const explain = async (tool: string, input: unknown) =>
    (await toolbox.runCall({ tool, input }, toolContext(openWorkspace('/nowhere'), { callId: 'c1' }))).output;

  it('is answered with the field by its place and its shape in one line', async () => {
    const slides = [{ layout: 'table', table: { columns: ['a'], rows: 'none' } }];
    const output = await explain('make_slides', { path: 'a', slides });
    expect(output).toContain(
      '- slides.0.table.rows: Invalid input: expected array, received string. Expected: (string | number | null)[][]',
    );
    expect(output).toContain('explain_tool with {"tool": "make_slides"} shows all of it.');
    const chart = await explain('make_chart', { path: 'a.png', type: 'pies' });
    expect(chart).toMatch(/^- type: Invalid option.* Expected: "bar" \| "line" \|/m);
  });

  it('of a field that is not told of beforehand is answered with its limits', async () => {
    expect(await explain('make_chart', { path: 'a.png', type: 'bar', width: 90_000 })).toMatch(
      /^- width: Too big: expected number to be <=2400. Expected: integer$/m,
    );
  });

  it('stays short, however much of it is wrong', async () => {
    const rows = Array.from({ length: 500 }, () => 'no row');
    const output = await explain('make_spreadsheet', { files: ['a.xlsx'], sheets: [{ name: 'a', rows }] });
    expect(output.length).toBeLessThan(3000);
    expect(output).toContain('- and 492 more');
  });
});
