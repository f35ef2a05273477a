import { readFileSync } from 'node:fs';
import { invalidField } from '@errand/base/fault.ts';
import { type FontFace, readFaces } from './font-face.ts';
import { findSystemFonts, shippedFonts } from './font-files.ts';

const faces = new Map<string, readonly FontFace[]>();

/** The faces of a local font file, cached; none for an unreadable file. */
export function facesOf(file: string): readonly FontFace[] {
  let known = faces.get(file);
  if (!known) {
    try {
      known = readFaces(readFileSync(file));
    } catch {
      known = [];
    }
    faces.set(file, known);
  }
  return known;
}

/** Characters that are invisible, or only modify their neighbor: they need no glyph. */
const invisible = /^[\p{Cc}\p{Cf}\p{Z}\ufe00-\ufe0f]$/u;
/** Letters and digits carry the meaning: leaving one out would falsify the text. */
const essential = /^[\p{L}\p{N}\p{M}]$/u;

function covers(face: FontFace | undefined, character: string): boolean {
  return face !== undefined && face.glyphOf(character.codePointAt(0) ?? 0) !== 0;
}

export interface Coverage {
  /** Font files that the text needs besides the shipped ones. */
  extraFiles: string[];
  /** Symbols that no font of this machine has; they are left out. */
  missing: string[];
}

/**
 * The fonts for a text. Throws `invalid_argument` if letters or digits would be missing: a page of empty boxes is worse than an error that
 * says what to do.
 */
export function coverText(text: string, remedy: string): Coverage {
  const extraFiles = new Set<string>();
  const missing = new Set<string>();
  const [shipped] = facesOf(shippedFonts.regular);
  for (const character of new Set(text.normalize('NFC'))) {
    if (invisible.test(character) || covers(shipped, character)) continue;
    const file = findSystemFonts().fallback.find((each) => covers(facesOf(each)[0], character));
    if (file) extraFiles.add(file);
    else missing.add(character);
  }
  const letters = [...missing].filter((character) => essential.test(character)).slice(0, 10);
  if (letters.length > 0) {
    throw invalidField('text', `no font of this machine has the characters ${letters.join(' ')}. ${remedy}`);
  }
  return { extraFiles: [...extraFiles], missing: [...missing] };
}
