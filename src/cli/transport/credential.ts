/** Authenticates requests over the network. */
export interface Credential {
  headers(): Promise<Record<string, string>>;
  /** Called when a request with these headers was answered with 401; true if it is worth retrying with new headers. */
  renew(refused: Record<string, string>): Promise<boolean>;
}

/** An API key as a credential. */
export function useApiKey(apiKey: string): Credential {
  const headers = { 'x-service-api-key': apiKey };
  return { headers: () => Promise.resolve(headers), renew: () => Promise.resolve(false) };
}
