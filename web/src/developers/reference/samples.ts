import { quoteForShell } from '../../api/shell-quote.ts';
import type { ApiOperation, JsonObject } from './api-document.ts';
import { prepareRequest } from './prepare-request.ts';

/** Languages in which a request can be shown; `language` is that of the highlighter. */
const sampleKinds = [
  { kind: 'curl', label: 'curl', language: 'bash' },
  { kind: 'typescript', label: 'TypeScript', language: 'typescript' },
  { kind: 'python', label: 'Python', language: 'python' },
  { kind: 'go', label: 'Go', language: 'go' },
] as const;

export type SampleKind = (typeof sampleKinds)[number]['kind'];

export interface SampleParts {
  operation: ApiOperation;
  input: JsonObject;
  /** The URL of the service. */
  origin: string;
}

/** The environment variable that has the key in all samples. */
const keyName = 'ERRAND_API_KEY';

function writeCurl({ operation, input, origin }: SampleParts): string {
  const { method, target, body } = prepareRequest(operation, input);
  const { keyHeader, isStream } = operation;
  return [
    `curl ${isStream ? '-N ' : ''}${method === 'GET' ? '' : `-X ${method} `}${quoteForShell(origin + target)}`,
    ...(keyHeader === null ? [] : [`-H "${keyHeader}: $${keyName}"`]),
    ...(body === null ? [] : ["-H 'content-type: application/json'", `-d ${quoteForShell(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  ');
}

/** `task` and `sendMessage` of `task.sendMessage`. */
function splitName({ id }: ApiOperation): [noun: string, verb: string] {
  const [noun = '', verb = ''] = id.split('.');
  return [noun, verb];
}

const toPascal = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** Fields are written without quotes where JavaScript allows it. */
function writeObject(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(/^( *)"([A-Za-z_$][\w$]*)": /gm, '$1$2: ');
}

/** The options of a stream besides its task; `streamTask` sets the others itself. */
function streamOptions({ verbose, deltas }: JsonObject): JsonObject {
  return { ...(verbose === true && { verbose }), ...(deltas === true && { deltas }) };
}

function writeTypeScript({ operation, input, origin }: SampleParts): string {
  const [noun, verb] = splitName(operation);
  const start = [
    "import { createErrand } from '@errand/client';\n",
    `const errand = createErrand({ baseUrl: ${JSON.stringify(origin)}, apiKey: process.env.${keyName} });`,
  ];
  if (!operation.isStream) {
    const given = Object.keys(input).length === 0 ? '' : writeObject(input);
    return [...start, `const answer = await errand.${noun}.${verb}(${given});`, 'console.log(answer);'].join('\n');
  }
  const options = streamOptions(input);
  const more = Object.keys(options).length === 0 ? '' : `, ${writeObject(options)}`;
  const stream = `errand.streamTask(${JSON.stringify(input.task_id ?? '')}${more})`;
  return [...start, `for await (const item of ${stream}) {`, '  console.log(item);', '}'].join('\n');
}

/** A value of JSON as Python writes it. */
function writePythonValue(value: unknown, indent = ''): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}    `;
  const entries = Array.isArray(value)
    ? value.map((item) => writePythonValue(item, inner))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${writePythonValue(item, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return entries.length === 0
    ? open + close
    : `${open}\n${entries.map((entry) => `${inner}${entry},\n`).join('')}${indent}${close}`;
}

const toSnake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
/** Names that a method in Python cannot have; the client ends them with an underscore. */
const pythonKeywords = new Set(['try', 'import', 'pass', 'del', 'global', 'return', 'yield', 'with', 'raise', 'is', 'in', 'not']);

function writePythonMethod(verb: string): string {
  const name = toSnake(verb);
  return pythonKeywords.has(name) ? `${name}_` : name;
}

function writePythonArguments(input: JsonObject, indent: string): string {
  const inner = `${indent}    `;
  if (Object.keys(input).some((name) => !/^[A-Za-z_]\w*$/.test(name) || pythonKeywords.has(name)))
    return `**${writePythonValue(input, indent)}`;
  const lines = Object.entries(input).map(([name, value]) => `${inner}${name}=${writePythonValue(value, inner)},\n`);
  return lines.length === 0 ? '' : `\n${lines.join('')}${indent}`;
}

function writePython({ operation, input, origin }: SampleParts): string {
  const [noun, verb] = splitName(operation);
  const indent = '    ';
  const start = [
    'import os\n\nfrom errand import Errand\n',
    `with Errand(${JSON.stringify(origin)}, api_key=os.environ["${keyName}"]) as errand:`,
  ];
  if (!operation.isStream) {
    const call = `answer = errand.${noun}.${writePythonMethod(verb)}(${writePythonArguments(input, indent)})`;
    return [...start, `${indent}${call}`, `${indent}print(answer)`].join('\n');
  }
  const options = Object.keys(streamOptions(input)).map((name) => `, ${name}=True`);
  const stream = `errand.stream_task(${JSON.stringify(input.task_id ?? '')}${options.join('')})`;
  return [...start, `${indent}for item in ${stream}:`, `${indent}    print(item)`].join('\n');
}

const goCheck = '\tif err != nil {\n\t\tlog.Fatal(err)\n\t}';

function writeGoCall({ operation, input }: SampleParts): string[] {
  const [noun, verb] = splitName(operation);
  const name = `client.${toPascal(noun)}.${toPascal(verb)}`;
  if (operation.isStream) {
    const { deltas, verbose } = streamOptions(input);
    const options = [...(verbose ? ['Verbose: true'] : []), ...(deltas ? ['Deltas: true'] : [])].join(', ');
    const id = JSON.stringify(input.task_id ?? '');
    return [
      `\terr = client.StreamTask(context.Background(), ${id}, errand.StreamOptions{${options}}, func(item errand.StreamItem) error {`,
      '\t\tfmt.Printf("%+v\\n", item)\n\t\treturn nil\n\t})',
      goCheck,
    ];
  }
  if (Object.keys(operation.input.properties ?? {}).length === 0)
    return [`\tanswer, err := ${name}(context.Background())`, goCheck, '\tfmt.Printf("%+v\\n", answer)'];
  // Text of Go between backticks has no escapes of its own, while JSON has one for the backtick.
  const json = JSON.stringify(input, null, 2).replaceAll('`', String.raw`\u0060`).replaceAll('\n', '\n\t');
  return [
    `\tvar request errand.${toPascal(noun)}${toPascal(verb)}Request`,
    `\tif err := json.Unmarshal([]byte(\`${json}\`), &request); err != nil {\n\t\tlog.Fatal(err)\n\t}`,
    `\tanswer, err := ${name}(context.Background(), &request)`,
    goCheck,
    '\tfmt.Printf("%+v\\n", answer)',
  ];
}

function writeGo(parts: SampleParts): string {
  const call = writeGoCall(parts);
  const isDecoding = call.some((line) => line.includes('json.Unmarshal'));
  const imports = ['context', ...(isDecoding ? ['encoding/json'] : []), 'fmt', 'log', 'os'];
  return [
    `package main\n\nimport (\n${imports.map((name) => `\t"${name}"\n`).join('')}\n\t"errand"\n)\n`,
    'func main() {',
    `\tclient, err := errand.New(errand.Options{BaseURL: ${JSON.stringify(parts.origin)}, APIKey: os.Getenv("${keyName}")})`,
    goCheck,
    ...call,
    '}',
  ].join('\n');
}

const writers: Record<SampleKind, (parts: SampleParts) => string> = {
  curl: writeCurl,
  typescript: writeTypeScript,
  python: writePython,
  go: writeGo,
};

/** The kinds of samples of an operation: the clients know v2 alone. */
export function kindsFor({ takesSession }: ApiOperation): readonly (typeof sampleKinds)[number][] {
  return takesSession ? sampleKinds : sampleKinds.slice(0, 1);
}

/** A program that makes this request; the key is in the environment. */
export function writeSample(kind: SampleKind, parts: SampleParts): string {
  return writers[kind](parts);
}
