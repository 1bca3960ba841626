import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { METADATA, METADATA_LIST, get, isAbort, pathOf, query } from './api';
import type { Catalog } from './discovery';
import { pause } from './feed';
import { Pane } from './parts';
import { objectLink } from './router';
import type { KubeObject, List, ObjectMeta, OwnerReference, Resource } from './types';

/** Owners of owners that are followed: an application of an operator has some four. */
const MOST_LEVELS = 6;

interface Chain {
  owner: OwnerReference;
  type: Resource | undefined;
  /** The owners of this owner that the user may see. */
  above: Chain[];
}

/** The owners of an object and their owners; owners are in its namespace, or in none. */
export function Owners({ object, catalog }: { object: KubeObject; catalog: Catalog }) {
  const { ownerReferences, namespace = '', uid } = object.metadata;
  const [chains, setChains] = useState<Chain[]>();
  const owners = JSON.stringify(ownerReferences ?? []);
  const direct = useMemo(() => chainsOf(ownerReferences, catalog), [owners, catalog]);
  useEffect(() => {
    const stop = new AbortController();
    setChains(undefined);
    Promise.all(direct.map((each) => climb(each, namespace, catalog, MOST_LEVELS, stop.signal))).then(setChains, () => {});
    return () => stop.abort();
  }, [direct, uid, namespace]);
  return direct.length ? (
    <Pane title="Owners">
      <Climbed chains={chains ?? direct} namespace={namespace} />
    </Pane>
  ) : null;
}

function chainsOf(owners: OwnerReference[] | undefined, catalog: Catalog): Chain[] {
  return (owners ?? []).map((owner) => ({ owner, type: catalog.ofKind(owner.apiVersion, owner.kind), above: [] }));
}

/** Reads an owner for its own owners; what the user may not see ends the chain. */
async function climb(chain: Chain, namespace: string, catalog: Catalog, levels: number, signal: AbortSignal): Promise<Chain> {
  const { owner, type } = chain;
  if (!type || levels === 0) {
    return chain;
  }
  try {
    const { metadata } = await get<KubeObject>(pathOf(type, type.namespaced ? namespace : '', owner.name), { accept: METADATA, signal });
    // another object of its name has owners of its own
    const above = metadata.uid === owner.uid ? chainsOf(metadata.ownerReferences, catalog) : [];
    return { ...chain, above: await Promise.all(above.map((each) => climb(each, namespace, catalog, levels - 1, signal))) };
  } catch (error) {
    if (isAbort(error)) {
      throw error;
    }
    return chain;
  }
}

function Climbed({ chains, namespace }: { chains: Chain[]; namespace: string }) {
  return (
    <ul class="tree">
      {chains.map(({ owner, type, above }) => (
        <li key={owner.uid}>
          {owner.kind} {type ? <a href={objectLink(type, type.namespaced ? namespace : '', owner.name)}>{owner.name}</a> : owner.name}
          {owner.controller && <span class="hint"> controls it</span>}
          {above.length > 0 && <Climbed chains={above} namespace={namespace} />}
        </li>
      ))}
    </ul>
  );
}

/** Types that most often have owners; the others are searched when the user asks for it. */
const USUAL = ['pods', 'replicasets.apps', 'jobs.batch', 'controllerrevisions.apps', 'endpointslices.discovery.k8s.io', 'persistentvolumeclaims'];
/** Objects of a type that are looked at: more would be a load that nobody asked for. */
const MOST = 2000;
/** The least time between two searches for an object that changes, in milliseconds. */
const PAUSE = 2000;
/** Types whose dependents have the labels that the object selects, so that the server finds them. */
const SELECTED = ['pods', 'replicasets.apps', 'controllerrevisions.apps'];
const SELECTING = ['apps', 'batch'];

/** An object and what names it as its owner. */
interface Found {
  type: Resource;
  metadata: ObjectMeta;
  below: Found[];
}

interface Search {
  found: Found[];
  /** Types of which more objects exist than were looked at. */
  cut: string[];
}

const nameOf = (type: Resource) => (type.group ? `${type.resource}.${type.group}` : type.resource);

/** The objects that name this one as their owner. */
export function Dependents({ object, type, catalog }: { object: KubeObject; type: Resource; catalog: Catalog }) {
  const [result, setResult] = useState<Search>();
  const [everywhere, setEverywhere] = useState(false);
  const { uid, namespace = '' } = object.metadata;
  const newest = useRef(object);
  newest.current = object;
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const types = catalog.listed().filter((each) => (everywhere || USUAL.includes(nameOf(each))) && (each.namespaced || !type.namespaced) && each.resource !== 'events');
    const follow = async () => {
      let looked = '';
      while (!signal.aborted) {
        const { metadata } = newest.current;
        if (metadata.resourceVersion !== looked) {
          looked = metadata.resourceVersion;
          setResult(await search(types, namespace, uid, SELECTING.includes(type.group) ? selectorOf(newest.current) : '', signal));
        }
        if (everywhere) {
          return;
        }
        await pause(PAUSE, signal);
      }
    };
    follow().catch((error) => isAbort(error) || setResult({ found: [], cut: [] }));
    return () => stop.abort();
  }, [catalog, type, uid, namespace, everywhere]);
  return (
    <Pane title="Dependents">
      {result?.found.length === 0 && <p class="hint">No {everywhere ? 'object' : 'pod, job or other usual object'} names it as its owner.</p>}
      {!!result?.found.length && (
        <div class="dependents">
          <Tree found={result.found} />
        </div>
      )}
      {!!result?.cut.length && (
        <p class="hint">
          Only the first {MOST.toLocaleString('en')} of {result.cut.join(', ')} were looked at.
        </p>
      )}
      {!everywhere && (
        <button type="button" onClick={() => setEverywhere(true)}>
          Search every type
        </button>
      )}
    </Pane>
  );
}

function Tree({ found }: { found: Found[] }) {
  return (
    <ul class="tree">
      {found.map(({ type, metadata, below }) => (
        <li key={metadata.uid}>
          {type.kind} <a href={objectLink(type, metadata.namespace ?? '', metadata.name)}>{metadata.name}</a>
          {below.length > 0 && <Tree found={below} />}
        </li>
      ))}
    </ul>
  );
}

/** The labels that an object of a workload selects; empty if it selects in another way. */
function selectorOf(object: KubeObject): string {
  const selector = (object['spec'] as { selector?: { matchLabels?: Record<string, string> } } | undefined)?.selector;
  return Object.entries(selector?.matchLabels ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}

/** One type after the other: the search must not slow the server's other clients. */
async function search(types: Resource[], namespace: string, uid: string, labels: string, signal: AbortSignal): Promise<Search> {
  const owned: Found[] = [];
  const cut: string[] = [];
  for (const type of types) {
    try {
      const labelSelector = SELECTED.includes(nameOf(type)) ? labels : '';
      const path = pathOf(type, type.namespaced ? namespace : '') + query({ limit: String(MOST), labelSelector });
      const list = await get<List<KubeObject>>(path, { accept: METADATA_LIST, signal });
      owned.push(...list.items.filter(({ metadata }) => metadata.ownerReferences).map(({ metadata }) => ({ type, metadata, below: [] })));
      if (list.metadata.continue) {
        cut.push(nameOf(type));
      }
    } catch (error) {
      if (isAbort(error)) {
        throw error;
      }
      // a type that the user may not list has nothing to show to this user
    }
  }
  return { found: treeOf(owned, uid), cut };
}

/** The objects below an owner, with what is below them; each once, since owners can be several, or go in a circle. */
export function treeOf(owned: Found[], root: string): Found[] {
  const byOwner = new Map<string, Found[]>();
  for (const each of owned) {
    for (const { uid } of each.metadata.ownerReferences ?? []) {
      const siblings = byOwner.get(uid);
      if (siblings) {
        siblings.push(each);
      } else {
        byOwner.set(uid, [each]);
      }
    }
  }
  const seen = new Set([root]);
  const below = (uid: string): Found[] => {
    const own = (byOwner.get(uid) ?? []).filter(({ metadata }) => !seen.has(metadata.uid));
    own.forEach(({ metadata }) => seen.add(metadata.uid));
    return own.map((each) => ({ ...each, below: below(each.metadata.uid) }));
  };
  return below(root);
}
