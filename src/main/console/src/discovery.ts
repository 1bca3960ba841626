import { get } from './api';
import type { Resource } from './types';

const ACCEPT = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

interface Discovered {
  items: {
    metadata?: { name?: string };
    versions: {
      version: string;
      resources?: {
        resource: string;
        responseKind: { kind: string };
        scope: string;
        verbs: string[];
        categories?: string[];
        shortNames?: string[];
        subresources?: { subresource: string }[];
      }[];
    }[];
  }[];
}

/** The types of the server, of each the preferred version, with the versions of a group in order. */
export class Catalog {
  readonly types: Resource[];

  constructor(types: Resource[]) {
    this.types = types;
  }

  /** The type in the version that is asked, else in the preferred one. */
  find(group: string, resource: string, version = ''): Resource | undefined {
    const all = this.types.filter((type) => type.group === group && type.resource === resource);
    return all.find((type) => type.version === version) ?? all[0];
  }

  ofKind(apiVersion: string, kind: string): Resource | undefined {
    const slash = apiVersion.indexOf('/');
    const group = slash < 0 ? '' : apiVersion.slice(0, slash);
    const all = this.types.filter((type) => type.group === group && type.kind === kind);
    return all.find((type) => type.version === apiVersion.slice(slash + 1)) ?? all[0];
  }

  /** Each type once, in its preferred version, if it can be listed. */
  listed(): Resource[] {
    const seen = new Set<string>();
    return this.types.filter((type) => {
      const key = `${type.group}/${type.resource}`;
      const first = type.verbs.includes('list') && !seen.has(key);
      seen.add(key);
      return first;
    });
  }
}

export async function discover(): Promise<Catalog> {
  const parts = await Promise.all([
    get<Discovered>('/api', { accept: ACCEPT }),
    get<Discovered>('/apis', { accept: ACCEPT }),
  ]);
  const types: Resource[] = [];
  for (const group of parts.flatMap((part) => part.items)) {
    for (const version of group.versions) {
      for (const found of version.resources ?? []) {
        types.push({
          group: group.metadata?.name ?? '',
          version: version.version,
          resource: found.resource,
          kind: found.responseKind.kind,
          namespaced: found.scope === 'Namespaced',
          verbs: found.verbs,
          categories: found.categories ?? [],
          shortNames: found.shortNames ?? [],
          subresources: (found.subresources ?? []).map((sub) => sub.subresource),
        });
      }
    }
  }
  return new Catalog(types);
}
