import { useEffect, useState } from 'preact/hooks';
import { get, pathOf, query } from './api';
import { Dialog, ErrorBox } from './parts';
import { Review, type Write } from './review';
import type { ActionProps } from './actions';
import type { Json, KubeObject, List } from './types';

const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
const MANAGER = { fieldManager: 'keelson-console' };
const REVISION = 'deployment.kubernetes.io/revision';
const HASH = 'pod-template-hash';

interface Revision {
  number: number;
  created: string;
  cause: string;
  images: string[];
  /** What makes the object's template that of this revision. */
  call: { contentType: string; body: string };
}

/** The revisions of a Deployment, StatefulSet or DaemonSet: a way back, pause and resume. */
export function Rollout({ type, object, close }: ActionProps) {
  const [revisions, setRevisions] = useState<Revision[]>();
  const [error, setError] = useState<unknown>();
  const [write, setWrite] = useState<Write>();
  const { namespace = '', name, uid } = object.metadata;
  const path = pathOf(type, namespace, name) + query(MANAGER);
  const before = object as unknown as Json;
  const paused = (object['spec'] as { paused?: boolean } | undefined)?.paused === true;
  useEffect(() => {
    const deployment = type.resource === 'deployments';
    const kept = pathOf({ group: 'apps', version: 'v1', resource: deployment ? 'replicasets' : 'controllerrevisions' }, namespace);
    get<List<KubeObject>>(kept).then((list) => {
      const own = list.items.filter((each) => each.metadata.ownerReferences?.some((owner) => owner.uid === uid));
      setRevisions(own.map(deployment ? ofReplicaSet : ofControllerRevision).sort((a, b) => b.number - a.number));
    }, setError);
  }, [type, namespace, uid]);
  const pause = () =>
    setWrite({
      path,
      call: { method: 'PATCH', contentType: MERGE, body: JSON.stringify({ spec: { paused: paused ? null : true } }) },
      before,
      verb: paused ? 'Resume' : 'Pause',
      keepsStatus: true,
    });
  return (
    <Dialog title={`Rollout of ${name}`} close={close}>
      {error !== undefined && <ErrorBox error={error} />}
      {write ? (
        <Review write={write} done={close} cancel={() => setWrite(undefined)} />
      ) : (
        <>
          {type.resource === 'deployments' && (
            <p>
              {paused ? 'It is paused: changes of the template replace no pod until it is resumed. ' : 'It replaces pods as soon as its template changes. '}
              <button type="button" onClick={pause}>
                {paused ? 'Resume' : 'Pause'}
              </button>
            </p>
          )}
          {revisions?.length === 0 && <p class="hint">No revision is recorded.</p>}
          {!!revisions?.length && (
            <table class="small revisions">
              <thead>
                <tr>
                  <th scope="col">Revision</th>
                  <th scope="col">Made</th>
                  <th scope="col">Images</th>
                  <th scope="col">Cause</th>
                  <th scope="col">
                    <span class="unseen">Back to it</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {revisions.map((each, place) => (
                  <tr key={each.number}>
                    <td>{each.number}</td>
                    <td>{each.created}</td>
                    <td>{each.images.join(', ')}</td>
                    <td>{each.cause}</td>
                    <td>
                      {place > 0 && (
                        <button
                          type="button"
                          disabled={paused}
                          onClick={() => setWrite({ path, call: { method: 'PATCH', ...each.call }, before, verb: `Back to revision ${each.number}`, keepsStatus: true })}
                        >
                          Undo to {each.number}
                        </button>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          {paused && <p class="hint">Resume it before going back.</p>}
          <p class="buttons">
            <button type="button" onClick={close}>
              Close
            </button>
          </p>
        </>
      )}
    </Dialog>
  );
}

interface Template {
  metadata?: { labels?: Record<string, string> };
  spec?: { containers?: { image?: string }[] };
}

function imagesOf(template: Template | undefined): string[] {
  return (template?.spec?.containers ?? []).map((container) => container.image ?? '');
}

function causeOf(object: KubeObject): string {
  return object.metadata.annotations?.['kubernetes.io/change-cause'] ?? '';
}

function ofReplicaSet(set: KubeObject): Revision {
  const template = structuredClone((set['spec'] as { template: Template }).template);
  delete template.metadata?.labels?.[HASH];
  return {
    number: Number(set.metadata.annotations?.[REVISION] ?? 0),
    created: set.metadata.creationTimestamp ?? '',
    cause: causeOf(set),
    images: imagesOf(template),
    call: { contentType: JSON_PATCH, body: JSON.stringify([{ op: 'replace', path: '/spec/template', value: template }]) },
  };
}

function ofControllerRevision(revision: KubeObject): Revision {
  const data = revision['data'] as { spec?: { template?: Template } };
  return {
    number: Number(revision['revision']),
    created: revision.metadata.creationTimestamp ?? '',
    cause: causeOf(revision),
    images: imagesOf(data.spec?.template),
    // the data is a patch of the object, whose template has "$patch": "replace"
    call: { contentType: STRATEGIC, body: JSON.stringify(data) },
  };
}
