/** The relationships of a part: `word/document.xml` → `word/_rels/document.xml.rels`. */
export function relationsPath(part: string): string {
  const slash = part.lastIndexOf('/') + 1;
  return `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`;
}

/** The part that a relationship of `from` leads to. */
export function resolveTarget(from: string, target: string): string {
  const path = target.startsWith('/') ? target.slice(1) : `${from.slice(0, from.lastIndexOf('/') + 1)}${target}`;
  const steps: string[] = [];
  for (const step of path.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  return steps.join('/');
}

/** The target to write into the relationships of `from` so that it leads to `to`. */
export function relativeTarget(from: string, to: string): string {
  const [here, there] = [from.split('/').slice(0, -1), to.split('/')];
  let shared = 0;
  while (shared < here.length && shared < there.length - 1 && here[shared] === there[shared]) shared++;
  return [...here.slice(shared).map(() => '..'), ...there.slice(shared)].join('/');
}
