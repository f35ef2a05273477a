import { call, type Instruction, type LineForm, makeFile, takeName, takeWord, unquote } from './line-words.ts';
import { makingForms } from './deliverable-lines.ts';
import { outcomeForms } from './outcome-lines.ts';

function readDeliver(rest: string): Instruction {
  const [path, more] = takeName(rest);
  const name = takeWord(more, 'as');
  const file = name === null || name === '' ? { path } : { path, name: unquote(name) };
  return call('deliver', { files: [file] }, `deliver ${path}`, `delivered ${path}`);
}

const platforms: Readonly<Record<string, string>> = { game: 'game', app: 'mobile_app', website: 'website' };

function readSite(rest: string): Instruction | null {
  const [folder, more] = takeName(rest);
  const [word, kind] = takeName(more);
  const platform = word === '' ? 'website' : platforms[word.toLowerCase() === 'as' ? kind.toLowerCase() : ''];
  if (platform === undefined) return null;
  const title = folder.split('/').findLast((name) => name !== '' && name !== '.') ?? 'Website';
  return call('publish_website', { folder, title, platform }, `make a site of ${folder}`, `made a site of ${folder}`, true);
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

function readUnpack(rest: string): Instruction {
  const [path, more] = takeName(rest);
  const into = takeWord(more, 'into');
  const input = { path, ...(into && { into: unquote(into) }) };
  return call('unpack_archive', input, `unpack ${path}`, `unpacked ${path}`, true);
}

function readFind(rest: string): Instruction | null {
  const query = /^(.*) on the web\.?$/i.exec(rest)?.[1];
  if (query === undefined) return null;
  return call('search_web', { query: unquote(query.trim()) }, `find ${query}`, `searched the web for ${query}`, true);
}

function readPlan(rest: string): Instruction {
  const titles = rest.split(';').map((title) => title.trim());
  const steps = titles.filter((title) => title !== '').map((title, at) => ({ title, status: at === 0 ? 'doing' : 'todo' }));
  return call('update_plan', { steps }, 'write the plan', 'wrote the plan');
}

/** Everything offline-1 understands, one instruction per line. */
const forms: readonly LineForm[] = [
  { verb: 'write', usage: 'write FILE with TEXT', read: readWrite },
  {
    verb: 'read',
    usage: 'read FILE',
    read: (path) => call('read_file', { path: unquote(path) }, `read ${path}`, `read ${path}`, true),
  },
  { verb: 'deliver', usage: 'deliver FILE [as NAME]', read: readDeliver },
  { verb: 'unpack', usage: 'unpack FILE [into FOLDER]', read: readUnpack },
  { verb: 'site', usage: 'site FOLDER [as website|game|app]', read: readSite },
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
    verb: 'fetch',
    usage: 'fetch URL',
    read: (text) => {
      const url = unquote(text);
      return /^https?:\/\//i.test(url) ? call('fetch_url', { url }, `fetch ${url}`, `fetched ${url}`, true) : null;
    },
  },
  {
    verb: 'browse',
    usage: 'browse URL',
    read: (text) => {
      const url = unquote(text);
      const input = { actions: [{ do: 'open', url }] };
      return /^https?:\/\//i.test(url) ? call('use_browser', input, `browse ${url}`, `browsed ${url}`, true) : null;
    },
  },
  {
    verb: 'find',
    usage: 'find TEXT on the web',
    read: readFind,
  },
  {
    verb: 'subtask',
    usage: 'subtask TEXT',
    read: (text) =>
      call(
        'create_subtask',
        { title: text.slice(0, 100), instructions: text.replaceAll(' ;; ', '\n') },
        `subtask ${text}`,
        `subtask ${text}`,
        true,
      ),
  },
  {
    verb: 'recall',
    usage: 'recall TASK_ID',
    read: (id) => call('read_task', { task_id: unquote(id) }, `recall ${id}`, `recalled ${id}`, true),
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
  {
    verb: 'skill',
    usage: 'skill NAME',
    read: (name) => call('load_skill', { name: unquote(name) }, `load the skill ${name}`, `loaded the skill ${name}`),
  },
  { verb: 'plan', usage: 'plan STEP; STEP; …', read: readPlan },
  ...makingForms,
  ...outcomeForms,
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

/** The instructions of a text, in order; all other lines are ignored. */
export function readInstructions(text: string): Instruction[] {
  return text.split('\n').flatMap((line) => readLine(line) ?? []);
}
