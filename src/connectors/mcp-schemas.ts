import type { JsonSchemaType, jsonSchemaValidator, JsonSchemaValidator } from '@modelcontextprotocol/client';

/**
 * Accepts every value: a server's schemas are never compiled or matched in this process, because a pattern such as `^(a|a)*$` would stop it
 * (docs/internals/decisions/0032-no-schemas-of-others.md).
 */
export const unreadSchemas: jsonSchemaValidator = {
  getValidator<Value>(_schema: JsonSchemaType): JsonSchemaValidator<Value> {
    return (value) => ({ valid: true, data: value as Value, errorMessage: undefined });
  },
};
