/** A file beside the module that a thread runs, as the code names it. */
const threadFile =
  /new URL\(\s*(?:'(\.\/[\w./-]+)\.ts'|`(\.\/[\w./-]+)\$\{extname\(import\.meta\.url\)\}`),\s*import\.meta\.url,?\s*\)/g;

/** Replaces the files of threads that code names; `replace` receives one as `./sqlite-thread.ts`, relative to the module. */
export function replaceThreadFiles(code: string, replace: (file: string) => string): string {
  return code.replace(threadFile, (_, plain?: string, compiled?: string) => replace(`${plain ?? compiled}.ts`));
}
