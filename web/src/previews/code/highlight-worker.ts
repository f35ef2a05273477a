import highlighter from 'highlight.js/lib/core';
import { answerCalls } from '../files/worker-call.ts';
import { type CodeLine, readHighlighted } from './code-lines.ts';

export interface HighlightQuestion {
  text: string;
  language: string;
}

const grammars = import.meta.glob<{ default: Parameters<typeof highlighter.registerLanguage>[1] }>(
  '/../node_modules/highlight.js/es/languages/{bash,c,clojure,cmake,cpp,csharp,css,dart,diff,dockerfile,elixir,elm,erlang,fortran,go,gradle,graphql,haskell,ini,java,javascript,json,julia,kotlin,latex,less,lua,makefile,markdown,nim,ocaml,perl,php,powershell,protobuf,python,r,ruby,rust,scala,scss,sql,swift,tcl,typescript,vbnet,xml,yaml}.js',
);

answerCalls(async ({ text, language }: HighlightQuestion): Promise<CodeLine[]> => {
  const load = Object.entries(grammars).find(([path]) => path.endsWith(`/${language}.js`))?.[1];
  if (!load) throw new Error(`no grammar of ${language}`);
  highlighter.registerLanguage(language, (await load()).default);
  return readHighlighted(highlighter.highlight(text, { language, ignoreIllegals: true }).value);
});
