import { useEffect, useState } from 'preact/hooks';
import { ApiError, get, isAbort, pathOf, query } from './api';
import { Diff } from './difference';
import { ErrorBox } from './parts';
import { Review, type Write } from './review';
import { setQuery } from './router';
import type { Json, KubeObject, List, Resource } from './types';
import { toYaml } from './yaml';

/** A revision of an object (history.keelson.dev/v1, ObjectRevision). */
export interface Revision {
  metadata: { name: string; resourceVersion: string; uid?: string };
  verb: string;
  time?: string;
  manager?: string;
  operation?: string;
  subresource?: string;
  removed?: boolean;
}

export interface HistoryProps {
  type: Resource;
  namespace: string;
  name: string;
  search: URLSearchParams;
  /** The object as it is; undefined if it is deleted. */
  object?: KubeObject;
}

/** Revisions that are loaded: the slider is for what somebody can look through. */
const MOST = 200;

/** The revisions of an object: what each changed, and a way back. */
export function History({ type, namespace, name, search, object }: HistoryProps) {
  const path = pathOf(type, namespace, name);
  const [revisions, setRevisions] = useState<Revision[]>();
  const [more, setMore] = useState(false);
  const [error, setError] = useState<unknown>();
  const version = object?.metadata.resourceVersion;
  useEffect(() => {
    const stop = new AbortController();
    get<List<Revision>>(`${path}/history?limit=${MOST}`, { signal: stop.signal }).then(
      (list) => {
        // the oldest first, as time goes on a slider
        setRevisions([...list.items].reverse());
        setMore(!!list.metadata.continue);
      },
      (problem) => isAbort(problem) || setError(problem),
    );
    return () => stop.abort();
  }, [path, version]);
  if (error instanceof ApiError && (error.code === 404 || error.code === 403) && !object) {
    // the view itself says that there is no such object
    return null;
  }
  if (error !== undefined) {
    return <ErrorBox error={error} />;
  }
  if (!revisions) {
    return <p class="loading">Loading…</p>;
  }
  if (revisions.length === 0) {
    return <p class="empty">No revision is kept.</p>;
  }
  const asked = revisions.findIndex((each) => each.metadata.resourceVersion === search.get('revision'));
  const at = asked < 0 ? revisions.length - 1 : asked;
  return (
    <>
      {more && <p class="hint">The newest {MOST} revisions are shown.</p>}
      <Slider revisions={revisions} at={at} />
      <Chosen key={revisions[at]!.metadata.resourceVersion} path={path} revisions={revisions} at={at} search={search} {...(object ? { object } : {})} />
    </>
  );
}

function describe(revision: Revision): string {
  const who = revision.manager ? ` by ${revision.manager}` : '';
  const part = revision.subresource ? ` of ${revision.subresource}` : '';
  return `${revision.removed ? 'removed' : revision.verb}${part}${who}${revision.time ? ` at ${revision.time.replace('T', ' ')}` : ''}`;
}

function Slider({ revisions, at }: { revisions: Revision[]; at: number }) {
  const show = (place: number) => setQuery({ revision: place === revisions.length - 1 ? undefined : revisions[place]?.metadata.resourceVersion });
  return (
    <div class="slider">
      <label>
        Revision {revisions[at]!.metadata.resourceVersion}: {describe(revisions[at]!)}
        <input
          type="range"
          name="revision"
          min={0}
          max={revisions.length - 1}
          value={at}
          aria-valuetext={describe(revisions[at]!)}
          disabled={revisions.length === 1}
          onInput={(event) => show(Number(event.currentTarget.value))}
        />
      </label>
      <div class="buttons">
        <button type="button" disabled={at === 0} onClick={() => show(at - 1)}>
          Earlier
        </button>
        <button type="button" disabled={at === revisions.length - 1} onClick={() => show(at + 1)}>
          Later
        </button>
        <span class="hint">
          {at + 1} of {revisions.length}
        </span>
      </div>
    </div>
  );
}

type Compare = 'before' | 'now' | 'whole';

function Chosen(props: { path: string; revisions: Revision[]; at: number; search: URLSearchParams; object?: KubeObject }) {
  const { path, revisions, at, search, object } = props;
  const compare = (search.get('compare') ?? 'before') as Compare;
  const [states, setStates] = useState<{ chosen: Json; before: Json }>();
  const [error, setError] = useState<unknown>();
  const [write, setWrite] = useState<Write>();
  const chosen = revisions[at]!;
  const previous = revisions[at - 1];
  useEffect(() => {
    Promise.all([stateAt(path, chosen), previous ? stateAt(path, previous) : null]).then(([now, before]) => setStates({ chosen: now, before }), setError);
  }, [path, chosen.metadata.resourceVersion]);
  const restore = () =>
    setWrite({
      path: `${path}/history${query({ fieldManager: 'keelson-console' })}`,
      call: {
        method: 'POST',
        body: JSON.stringify({ kind: 'ObjectRevision', apiVersion: 'history.keelson.dev/v1', metadata: { resourceVersion: chosen.metadata.resourceVersion } }),
      },
      ...(object ? { before: object as unknown as Json } : {}),
      verb: `Restore revision ${chosen.metadata.resourceVersion}`,
    });
  if (write) {
    return <Review write={write} done={() => setQuery({ tab: 'yaml', revision: undefined })} cancel={() => setWrite(undefined)} />;
  }
  return (
    <>
      {error !== undefined && <ErrorBox error={error} />}
      <div class="bar">
        <label>
          Show{' '}
          <select name="compare" value={compare} onChange={(event) => setQuery({ compare: event.currentTarget.value })}>
            <option value="before">what it changed</option>
            <option value="now">the difference to now</option>
            <option value="whole">the whole object</option>
          </select>
        </label>
        {!chosen.removed && (
          <button type="button" onClick={restore}>
            Restore this revision
          </button>
        )}
      </div>
      {states && compare === 'whole' && (
        <pre class="yaml" tabIndex={0} role="region" aria-label="YAML">
          {states.chosen === null ? 'The object was removed.' : toYaml(states.chosen)}
        </pre>
      )}
      {states && compare === 'before' && <Diff before={states.before} after={states.chosen} same="This revision changed nothing but what every write changes." />}
      {states && compare === 'now' && <Diff before={states.chosen} after={(object ?? null) as unknown as Json} same="The object is now as it was at this revision." />}
    </>
  );
}

/** The object at a revision; null where it had been removed. */
async function stateAt(path: string, revision: Revision): Promise<Json> {
  if (revision.removed) {
    return null;
  }
  const object = await get<KubeObject>(path + query({ resourceVersion: revision.metadata.resourceVersion, resourceVersionMatch: 'Exact' }));
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata } as unknown as Json;
}
