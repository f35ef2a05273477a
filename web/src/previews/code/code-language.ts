import { endingOf } from '../files/preview-kind.ts';

/** The highlighted languages, each with its file extensions. */
const endings: Record<string, string> = {
  bash: 'bash sh',
  c: 'c',
  clojure: 'clj',
  cmake: 'cmake',
  cpp: 'cc cpp cxx h hpp',
  csharp: 'cs',
  css: 'css',
  dart: 'dart',
  diff: 'diff patch',
  dockerfile: 'dockerfile',
  elixir: 'ex exs',
  elm: 'elm',
  erlang: 'erl',
  fortran: 'f90',
  go: 'go',
  gradle: 'gradle',
  graphql: 'graphql',
  haskell: 'hs',
  ini: 'cfg conf env ini properties toml',
  java: 'java',
  javascript: 'cjs js jsx mjs',
  json: 'geojson ipynb json jsonl ndjson webmanifest',
  julia: 'jl',
  kotlin: 'kt kts',
  latex: 'tex',
  less: 'less',
  lua: 'lua',
  makefile: 'makefile mk',
  markdown: 'markdown md mdx',
  nim: 'nim',
  ocaml: 'ml',
  perl: 'pl',
  php: 'php',
  powershell: 'ps1',
  protobuf: 'proto',
  python: 'py',
  r: 'r',
  ruby: 'rb',
  rust: 'rs',
  scala: 'scala',
  scss: 'sass scss',
  sql: 'sql',
  swift: 'swift',
  tcl: 'tcl',
  typescript: 'cts mts ts tsx',
  vbnet: 'vb',
  xml: 'htm html svelte vue xhtml xml xsd xsl svg',
  yaml: 'yaml yml',
};

const languageByEnding: ReadonlyMap<string, string> = new Map(
  Object.entries(endings).flatMap(([language, names]) => names.split(' ').map((name) => [name, language] as const)),
);

/** The language of a file by its name; null if it is not highlighted. */
export function languageOfFile(filename: string): string | null {
  return languageByEnding.get(endingOf(filename)) ?? null;
}
