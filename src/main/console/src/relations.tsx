import { useEffect, useState } from 'preact/hooks';
import { METADATA_LIST, get, isAbort, pathOf, query } from './api';
import type { Catalog } from './discovery';
import { Pane } from './parts';
import { objectLink } from './router';
import type { KubeObject, List, ObjectMeta, Resource } from './types';

/** The owners of an object; owners are in its namespace, or in none. */
export function Owners({ object, catalog }: { object: KubeObject; catalog: Catalog }) {
  const owners = object.metadata.ownerReferences;
  if (!owners?.length) {
    return null;
  }
  return (
    <Pane title="Owners">
      <ul>
        {owners.map((owner) => {
          const type = catalog.ofKind(owner.apiVersion, owner.kind);
          const namespace = type?.namespaced ? (object.metadata.namespace ?? '') : '';
          return (
            <li key={owner.uid}>
              {owner.kind} {type ? <a href={objectLink(type, namespace, owner.name)}>{owner.name}</a> : owner.name}
              {owner.controller && <span class="hint"> controls it</span>}
            </li>
          );
        })}
      </ul>
    </Pane>
  );
}

/** Types that most often have owners; the others are searched when the user asks for it. */
const USUAL = ['pods', 'replicasets.apps', 'jobs.batch', 'controllerrevisions.apps', 'endpointslices.discovery.k8s.io', 'persistentvolumeclaims'];
/** Objects of a type that are looked at: more would be a load that nobody asked for. */
const MOST = 2000;

interface Found {
  type: Resource;
  metadata: ObjectMeta;
}

/** The objects that name this one as their owner. */
export function Dependents({ object, type, catalog }: { object: KubeObject; type: Resource; catalog: Catalog }) {
  const [found, setFound] = useState<Found[]>();
  const [everywhere, setEverywhere] = useState(false);
  const { uid, namespace = '', resourceVersion } = object.metadata;
  useEffect(() => {
    const stop = new AbortController();
    const types = catalog.listed().filter((each) => {
      const usual = USUAL.includes(each.group ? `${each.resource}.${each.group}` : each.resource);
      return (everywhere || usual) && (each.namespaced || !type.namespaced) && each.resource !== 'events';
    });
    search(types, namespace, uid, stop.signal).then(setFound, (error) => isAbort(error) || setFound([]));
    return () => stop.abort();
  }, [catalog, type, uid, namespace, everywhere, everywhere ? '' : resourceVersion]);
  return (
    <Pane title="Dependents">
      {found?.length === 0 && <p class="hint">No {everywhere ? 'object' : 'pod, job or other usual object'} names it as its owner.</p>}
      <ul class="dependents">
        {found?.map((each) => (
          <li key={each.metadata.uid}>
            {each.type.kind} <a href={objectLink(each.type, each.metadata.namespace ?? '', each.metadata.name)}>{each.metadata.name}</a>
          </li>
        ))}
      </ul>
      {!everywhere && (
        <button type="button" onClick={() => setEverywhere(true)}>
          Search every type
        </button>
      )}
    </Pane>
  );
}

/** One type after the other: the search must not slow the server's other clients. */
async function search(types: Resource[], namespace: string, uid: string, signal: AbortSignal): Promise<Found[]> {
  const found: Found[] = [];
  for (const type of types) {
    try {
      const path = pathOf(type, type.namespaced ? namespace : '') + query({ limit: String(MOST) });
      const list = await get<List<KubeObject>>(path, { accept: METADATA_LIST, signal });
      for (const { metadata } of list.items) {
        if (metadata.ownerReferences?.some((owner) => owner.uid === uid)) {
          found.push({ type, metadata });
        }
      }
    } catch (error) {
      if (isAbort(error)) {
        throw error;
      }
      // a type that the user may not list has nothing to show to this user
    }
  }
  return found;
}
