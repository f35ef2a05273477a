/** Width and height of a page in points. */
export const pageSizes = { A4: [595.28, 841.89], letter: [612, 792] } as const;
export type PageSize = keyof typeof pageSizes;
