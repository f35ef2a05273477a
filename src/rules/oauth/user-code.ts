/** Letters that cannot be confused with others and form no words. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';

/** Eight letters as a person types them off a screen, 34 bits of the given randomness (RFC 8628, section 6.1). */
export function makeUserCode(chance: (below: number) => number): string {
  const text = Array.from({ length: 8 }, () => letters.charAt(chance(letters.length))).join('');
  return `${text.slice(0, 4)}-${text.slice(4)}`;
}

/** A typed code in canonical form, or null if malformed. */
export function readUserCode(typed: string): string | null {
  const text = typed.toUpperCase().replaceAll(/[\s-]/g, '');
  return /^[B-DF-HJ-NP-TV-XZ]{8}$/.test(text) ? `${text.slice(0, 4)}-${text.slice(4)}` : null;
}
