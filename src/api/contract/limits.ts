/** Bodies of operations whose messages may carry files as `file_data` (decisions, "Limits"). */
export const largeBodyBytes = 32 * 1024 * 1024;
