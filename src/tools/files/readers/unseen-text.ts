import { findEscape } from '@errand/base/text/unseen-style.ts';

/** The part of the DOM that is needed here. */
export interface StyledElement {
  textContent: string | null;
  getAttribute(name: string): string | null;
  remove(): void;
}

/**
 * Removes what nobody can see: text that is addressed to machines is often an attempt to give them orders.
 * @param isOnWhite whether the page sets no background, so that white text is on white
 * @returns how many texts for machines were removed
 */
export function removeUnseen(styled: Iterable<StyledElement>, isOnWhite: boolean): number {
  let forMachines = 0;
  for (const element of styled) {
    const hidden = element.getAttribute('hidden');
    const escape = findEscape(element.getAttribute('style') ?? '', isOnWhite);
    if (escape === null && (hidden === null || hidden === 'until-found')) continue;
    if (escape === 'machines' && (element.textContent ?? '').trim() !== '') forMachines += 1;
    element.remove();
  }
  return forMachines;
}
