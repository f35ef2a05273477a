/** Marks fields into which a person has typed; their content is hidden like that of password fields. */
export const typedMark = 'data-typed-by-person';
