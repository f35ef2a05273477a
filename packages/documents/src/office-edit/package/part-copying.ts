import type { OfficePackage } from './office-package.ts';
import { relationsPath, relativeTarget } from './part-paths.ts';

/** What happens to what a copied part leads to: the copy leads to the same, to a copy of it, or no longer there. */
export type CopyRule = (type: string) => 'share' | 'copy' | 'drop';

/**
 * Copies a part with those that belong to it. `copies` has the copy of each part that was copied, so that parts that lead to each other
 * have copies that do the same.
 */
export function copyPart(parts: OfficePackage, part: string, rule: CopyRule, copies = new Map<string, string>()): string {
  const known = copies.get(part);
  if (known !== undefined) return known;
  const [, stem = part, ending = ''] = /^(.*?)\d*(\.[^./]+)$/.exec(part) ?? [];
  const copy = parts.freeName(stem, ending);
  copies.set(part, copy);
  parts.write(copy, parts.current(part), parts.contentType(part));
  const path = relationsPath(part);
  if (!parts.has(path)) return copy;
  parts.write(relationsPath(copy), parts.current(path));
  for (const { id, type, target, isExternal } of parts.relations(part)) {
    if (isExternal || !parts.has(target)) continue;
    const what = copies.has(target) ? 'copy' : rule(type);
    if (what === 'drop') parts.unrelate(copy, (relation) => relation.id === id);
    const leadsTo = what === 'copy' ? copyPart(parts, target, rule, copies) : target;
    const entry = parts.root(relationsPath(copy)).elements.find((each) => each.attribute('Id') === id);
    entry?.setAttribute('Target', relativeTarget(copy, leadsTo));
  }
  return copy;
}

/** Every part that can be reached from the package, or from one of its parts. */
export function reachParts(parts: OfficePackage, from: string, reached = new Set<string>()): Set<string> {
  for (const { target, isExternal } of parts.relations(from)) {
    if (isExternal || reached.has(target) || !parts.has(target)) continue;
    reached.add(target);
    reachParts(parts, target, reached);
  }
  return reached;
}
