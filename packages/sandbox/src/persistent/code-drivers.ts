import type { CodeLanguage } from '../sandbox.ts';
import { libraryMount } from '../sandbox.ts';
import { workspaceMount } from '../workspace/workspace-path.ts';

/**
 * Programs that keep the state of a language between calls. Each reads lines from descriptor 3, `NUMBER MARK`, runs the code in the file
 * NUMBER.code, and then writes the mark and an exit code on a line of their own. In a process that the code has forked, it ends with it.
 */
const python = `
import ast, linecache, os, signal, sys, traceback
os.set_inheritable(3, False)
own, space = os.getpid(), __import__('__main__').__dict__
sys.argv = ['']
if '${workspaceMount}' not in sys.path: sys.path.insert(0, '${workspaceMount}')
def run(name, source):
    try:
        tree = ast.parse(source, name)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, name, 'exec'), space)
        value = None if last is None else eval(compile(ast.Expression(last.value), name, 'eval'), space)
        if value is not None: print(repr(value))
        return 0
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int): return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except BaseException as error:
        traceback.print_exception(type(error), error, error.__traceback__ and error.__traceback__.tb_next)
        return 130 if isinstance(error, KeyboardInterrupt) else 1
def serve():
    with os.fdopen(3, encoding='utf-8') as requests:
        for line in requests:
            number, mark = line.split()
            with open(f'${libraryMount}/{number}.code', encoding='utf-8', newline='') as file: source = file.read()
            name = f'<call {number}>'
            linecache.cache[name] = (len(source), None, source.splitlines(True), name)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            try: code = run(name, source)
            except KeyboardInterrupt: code = 130
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            for stream in (sys.stdout, sys.stderr):
                try: stream.flush()
                except Exception: pass
            if os.getpid() != own: os._exit(code & 255)
            os.write(1, f'\\n{mark} {code & 255}\\n'.encode())
signal.signal(signal.SIGINT, signal.SIG_IGN)
serve()
`;

const javascript = `
(() => {
const fs = require('node:fs');
const { Session } = require('node:inspector');
const { Socket } = require('node:net');
const { inspect } = require('node:util');
const session = new Session();
session.connect();
const taken = '__errandTaken';
Object.defineProperty(globalThis, '__errandImport', { value: (from) => import(from) });
const importOf = (what, from) => {
  const [, own, all, some] = /^(?:([\\w$]+)\\s*,?\\s*)?(?:\\*\\s*as\\s+([\\w$]+)|(\\{[^}]*\\}))?\\s*$/.exec(what) ?? [];
  const names = [own && '{default: ' + own + '}', all, some && some.replace(/\\bas\\b/g, ':')].filter(Boolean);
  return names.map((one) => 'let ' + one + ' = await import(' + from + ');').join(' ');
};
const prepare = (code) => code
  .replace(/^import\\s+([\\w$*{][^'";]*?)\\s*from\\s*(['"][^'"\\n]+['"]);?/gm, (_, what, from) => importOf(what, from))
  .replace(/^import\\s*(['"][^'"\\n]+['"]);?/gm, (_, from) => 'await import(' + from + ');')
  // A later call may declare the same names in another way.
  .replace(/^const(?=[\\s{[])/gm, 'let')
  .replace(/(?<![.\\w$])import\\s*\\(/g, '__errandImport(');
const post = (method, fields) => new Promise((resolve, reject) => {
  session.post(method, fields, (error, answer) => (error ? reject(error) : resolve(answer)));
});
// The inspector describes objects; the object itself is stored by a function that runs on it.
const take = async ({ objectId, value, unserializableValue }) => {
  if (objectId === undefined) return unserializableValue === undefined ? value : Number(unserializableValue);
  const functionDeclaration = 'function () { globalThis.' + taken + ' = this; }';
  await post('Runtime.callFunctionOn', { objectId, functionDeclaration });
  const found = globalThis[taken];
  delete globalThis[taken];
  return found;
};
const explain = (error) => {
  if (!(error instanceof Error) || typeof error.stack !== 'string') return inspect(error);
  return error.stack.split('\\n').filter((line) => !/^\\s+at .*(\\(|at )(node:|\\[eval\\])|^\\s+at new Promise/.test(line)).join('\\n');
};
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const waited = ['Timeout', 'Immediate', 'FSReqCallback', 'FSReqPromise', 'GetAddrInfoReqWrap', 'TCPSocketWrap', 'TLSWrap', 'ProcessWrap', 'Worker'];
const settle = async () => {
  for (const until = Date.now() + 5000; Date.now() < until; await pause(10)) {
    if (!process.getActiveResourcesInfo().some((kind) => waited.includes(kind))) return;
  }
};
const run = async (code, name) => {
  const expression = prepare(code) + '\\n//# sourceURL=' + name;
  const { result, exceptionDetails } = await post('Runtime.evaluate', { expression, replMode: true, awaitPromise: true });
  const value = await take(exceptionDetails?.exception ?? result);
  if (exceptionDetails) {
    console.error(explain(value));
    return 1;
  }
  const isPromise = value instanceof Promise;
  const shown = isPromise ? await value.catch((error) => (console.error(explain(error)), (process.exitCode = 1, undefined))) : value;
  if (shown !== undefined && result.type !== 'function' && !(value?.constructor?.name === 'Timeout')) console.log(inspect(shown));
  await settle();
  const code_ = process.exitCode ?? 0;
  process.exitCode = undefined;
  return Number(code_) & 255;
};
process.on('uncaughtException', (error) => { console.error(explain(error)); process.exitCode = 1; });
let rest = '';
let queue = Promise.resolve();
new Socket({ fd: 3, readable: true, writable: false }).on('data', (chunk) => {
  const lines = (rest + chunk).split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const [number, mark] = line.split(' ');
    queue = queue.then(async () => {
      const code = await run(fs.readFileSync('${libraryMount}/' + number + '.code', 'utf8'), 'call-' + number + '.js');
      fs.writeSync(1, '\\n' + mark + ' ' + code + '\\n');
    });
  }
}).on('end', () => process.exit());
})();
`;

/** The command that starts the session of a language. */
export const sessionCommands: Readonly<Record<CodeLanguage, readonly string[]>> = {
  python: ['python3', '-c', python],
  javascript: ['node', '-e', javascript],
};
