/** Bodies of operations whose messages may carry files as `file_data` (docs/reference/choices.md#limits). */
export const largeBodyBytes = 32 * 1024 * 1024;
