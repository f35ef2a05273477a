/** What a request over the network proves itself with. */
export interface CliCredential {
  headers(): Promise<Record<string, string>>;
  /** Called when a request with these headers was answered 401; true when it is worth another try with what `headers` gives then. */
  renew(refused: Record<string, string>): Promise<boolean>;
}

export function useApiKey(apiKey: string): CliCredential {
  const headers = { 'x-service-api-key': apiKey };
  return { headers: () => Promise.resolve(headers), renew: () => Promise.resolve(false) };
}
