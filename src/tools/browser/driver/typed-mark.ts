/** On fields into which a person has typed: what is in them is hidden as if they were for passwords. */
export const typedMark = 'data-typed-by-person';
