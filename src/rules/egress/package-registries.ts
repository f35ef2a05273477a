/** The registries that the operator lets agents install packages from; null where there is none. */
export interface PackageRegistries {
  pip: string | null;
  npm: string | null;
}

export const noRegistries: PackageRegistries = { pip: null, npm: null };

/** PyPI's index links to files on another host. */
const companions: Readonly<Record<string, readonly string[]>> = { 'pypi.org:443': ['files.pythonhosted.org:443'] };

function listUrls({ pip, npm }: PackageRegistries): URL[] {
  return [pip, npm].flatMap((address) => (address === null ? [] : [new URL(address)]));
}

function placeOf(url: URL): string {
  return `${url.hostname}:${url.port || (url.protocol === 'http:' ? 80 : 443)}`;
}

/** The hosts of the registries with their ports, the only ones that installing needs. */
export function listRegistryPlaces(registries: PackageRegistries): string[] {
  const places = listUrls(registries).map(placeOf);
  return [...new Set(places.flatMap((place) => [place, ...(companions[place] ?? [])]))];
}

/** The variables by which pip and npm find them. */
export function registryEnvironment({ pip, npm }: PackageRegistries): Record<string, string> {
  return {
    ...(pip !== null && { PIP_INDEX_URL: pip }),
    ...(pip?.startsWith('http:') === true && { PIP_TRUSTED_HOST: new URL(pip).host }),
    ...(npm !== null && { NPM_CONFIG_REGISTRY: npm }),
  };
}

/** Describes to a model the package commands that work. */
export function describeRegistries({ pip, npm }: PackageRegistries): string {
  const working = [...(pip === null ? [] : ['pip']), ...(npm === null ? [] : ['npm'])];
  return working.length === 0 ? '' : `${working.join(' and ')} install packages.`;
}
