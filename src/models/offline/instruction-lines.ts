/** A call that one line asks for, and how to speak of it. */
export interface LineCall {
  tool: string;
  input: Record<string, unknown>;
  /** As in "Failed: write hello.md". */
  wish: string;
  /** As in "Done: wrote hello.md". */
  done: string;
  /** The result is what the user wanted to see. */
  showsResult: boolean;
  /** A file that the call makes, to be delivered after it. */
  delivers?: string;
}

export type Instruction = { type: 'call'; call: LineCall } | { type: 'say'; text: string };

interface LineForm {
  verb: string;
  /** How the form is explained to people. */
  usage: string;
  /** Null when what follows the verb does not have the form. */
  read(rest: string): Instruction | null;
}

const quotes = new Set(['"', "'", '`']);

function unquote(word: string): string {
  const first = word.charAt(0);
  return word.length > 1 && quotes.has(first) && word.endsWith(first) ? word.slice(1, -1) : word;
}

/** The first word, or what stands in quotes, and the rest. */
function takeName(text: string): [name: string, rest: string] {
  const quote = quotes.has(text.charAt(0)) ? text.charAt(0) : null;
  const end = quote ? text.indexOf(quote, 1) + 1 : text.search(/\s/);
  if (end <= 0) return [unquote(text), ''];
  return [unquote(text.slice(0, end)), text.slice(end).trim()];
}

/** What follows a key word, or null when the text does not begin with it. */
function takeWord(text: string, word: string): string | null {
  const [first, rest] = takeName(text);
  return first.toLowerCase() === word ? rest : null;
}

function call(tool: string, input: Record<string, unknown>, wish: string, done: string, showsResult = false): Instruction {
  return { type: 'call', call: { tool, input, wish, done, showsResult } };
}

/** The same for a call that makes the file `path`, which is then delivered. */
function makeFile(tool: string, input: Record<string, unknown> & { path: string }, wish: string, done: string): Instruction {
  return { type: 'call', call: { tool, input, wish, done, showsResult: false, delivers: input.path } };
}

function readDeliver(rest: string): Instruction {
  const [path, more] = takeName(rest);
  const name = takeWord(more, 'as');
  const file = name === null || name === '' ? { path } : { path, name: unquote(name) };
  return call('deliver', { files: [file] }, `deliver ${path}`, `delivered ${path}`);
}

function readWrite(rest: string): Instruction | null {
  const [path, more] = takeName(rest);
  const content = takeWord(more, 'with');
  return content === null ? null : makeFile('write_file', { path, content }, `write ${path}`, `wrote ${path}`);
}

function readEdit(rest: string): Instruction | null {
  const [path, more] = takeName(rest);
  const change = takeWord(more, 'replace') ?? '';
  const middle = change.toLowerCase().indexOf(' with ');
  if (middle < 1) return null;
  const input = {
    path,
    old_string: unquote(change.slice(0, middle).trim()),
    new_string: unquote(change.slice(middle + 6).trim()),
  };
  return call('edit_file', input, `edit ${path}`, `edited ${path}`);
}

function readPlan(rest: string): Instruction {
  const titles = rest.split(';').map((title) => title.trim());
  const steps = titles.filter((title) => title !== '').map((title, at) => ({ title, status: at === 0 ? 'doing' : 'todo' }));
  return call('update_plan', { steps }, 'write the plan', 'wrote the plan');
}

/** Everything offline-1 understands, one instruction a line. */
const forms: readonly LineForm[] = [
  { verb: 'write', usage: 'write FILE with TEXT', read: readWrite },
  {
    verb: 'read',
    usage: 'read FILE',
    read: (path) => call('read_file', { path: unquote(path) }, `read ${path}`, `read ${path}`, true),
  },
  { verb: 'deliver', usage: 'deliver FILE [as NAME]', read: readDeliver },
  { verb: 'edit', usage: 'edit FILE replace A with B', read: readEdit },
  {
    verb: 'list',
    usage: 'list [FOLDER]',
    read: (path) =>
      call('list_files', { path: unquote(path) || '.' }, `list ${path || 'the files'}`, `listed ${path || 'the files'}`, true),
  },
  {
    verb: 'search',
    usage: 'search TEXT',
    read: (text) => call('search_files', { query: unquote(text) }, `search for ${text}`, `searched for ${text}`, true),
  },
  {
    verb: 'run',
    usage: 'run COMMAND',
    read: (command) => call('run_shell', { command }, `run ${command}`, `ran ${command}`, true),
  },
  {
    verb: 'ask',
    usage: 'ask QUESTION',
    read: (question) => call('ask_user', { question }, `ask "${question}"`, `asked "${question}"`, true),
  },
  { verb: 'plan', usage: 'plan STEP; STEP; …', read: readPlan },
  { verb: 'say', usage: 'say TEXT', read: (text) => ({ type: 'say', text }) },
];

export const lineUsages: readonly string[] = forms.map((form) => form.usage);

function readLine(line: string): Instruction | null {
  const text = line.trim().replace(/^[-*] +/, '');
  const [verb, rest] = takeName(text);
  const form = forms.find((each) => each.verb === verb.toLowerCase());
  const needsMore = form?.usage.startsWith('list') !== true;
  return form && (rest !== '' || !needsMore) ? form.read(rest) : null;
}

/** The instructions of a text, in its order; lines of any other form are no instructions. */
export function readInstructions(text: string): Instruction[] {
  return text.split('\n').flatMap((line) => readLine(line) ?? []);
}
