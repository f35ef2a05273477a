import fc from 'fast-check';

/**
 * Any character of Unicode, unassigned ones included, as the unit of a text: `fc.string({ unit: anyCharacter })`. The one that the library
 * brings makes a table of all of them first, which takes a second in each thread.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10f7ff })
  .map((index) => String.fromCodePoint(index < 0xd800 ? index : index + 0x800));
