/** The namespace of workbooks. */
export const sheetSpace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
