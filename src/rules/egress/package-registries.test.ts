import { describe, expect, it } from 'vitest';
import { listRegistryPlaces, noRegistries, registryEnvironment } from './package-registries.ts';

describe('package registries', () => {
  it('open their own host and port, and that of the files of PyPI', () => {
    expect(listRegistryPlaces(noRegistries)).toEqual([]);
    expect(listRegistryPlaces({ pip: 'https://pypi.org/simple', npm: 'http://npm.corp.example:4873/' })).toEqual([
      'pypi.org:443',
      'files.pythonhosted.org:443',
      'npm.corp.example:4873',
    ]);
  });

  it('are settings of pip and npm, which trust one without TLS', () => {
    expect(registryEnvironment(noRegistries)).toEqual({});
    expect(registryEnvironment({ pip: 'http://mirror.example:8080/simple', npm: 'https://npm.example/' })).toEqual({
      PIP_INDEX_URL: 'http://mirror.example:8080/simple',
      PIP_TRUSTED_HOST: 'mirror.example:8080',
      NPM_CONFIG_REGISTRY: 'https://npm.example/',
    });
  });
});
