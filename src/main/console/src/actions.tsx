import { useEffect, useState } from 'preact/hooks';
import { get, messageOf, pathOf, query } from './api';
import { Dialog } from './parts';
import { Review, type Write } from './review';
import { Rollout } from './rollout';
import type { Json, KubeObject, Resource } from './types';

const MERGE = 'application/merge-patch+json';
const MANAGER = { fieldManager: 'keelson-console' };
const TEMPLATES = ['deployments', 'statefulsets', 'daemonsets'];

/** What can be done with an object beside editing it. */
export function Actions({ type, object }: { type: Resource; object: KubeObject }) {
  const [action, setAction] = useState<'scale' | 'restart' | 'rollout' | 'delete'>();
  const close = () => setAction(undefined);
  return (
    <span class="actions">
      {type.subresources.includes('scale') && (
        <button type="button" onClick={() => setAction('scale')}>
          Scale
        </button>
      )}
      {type.group === 'apps' && TEMPLATES.includes(type.resource) && (
        <button type="button" onClick={() => setAction('restart')}>
          Restart
        </button>
      )}
      {type.group === 'apps' && TEMPLATES.includes(type.resource) && (
        <button type="button" onClick={() => setAction('rollout')}>
          Rollout
        </button>
      )}
      {type.verbs.includes('delete') && (
        <button type="button" class="danger" onClick={() => setAction('delete')}>
          Delete
        </button>
      )}
      {action === 'scale' && <Scale type={type} object={object} close={close} />}
      {action === 'restart' && <Restart type={type} object={object} close={close} />}
      {action === 'rollout' && <Rollout type={type} object={object} close={close} />}
      {action === 'delete' && <Delete type={type} object={object} close={close} />}
    </span>
  );
}

export interface ActionProps {
  type: Resource;
  object: KubeObject;
  close: () => void;
}

function Scale({ type, object, close }: ActionProps) {
  const path = pathOf(type, object.metadata.namespace, object.metadata.name, 'scale');
  const [before, setBefore] = useState<KubeObject>();
  const [replicas, setReplicas] = useState('');
  const [write, setWrite] = useState<Write>();
  const [error, setError] = useState('');
  useEffect(() => {
    get<KubeObject>(path).then(
      (scale) => {
        setBefore(scale);
        setReplicas(String((scale['spec'] as { replicas?: number }).replicas ?? 0));
      },
      (problem) => setError(messageOf(problem)),
    );
  }, [path]);
  const review = (event: Event) => {
    event.preventDefault();
    const body = JSON.stringify({ spec: { replicas: Number(replicas) } });
    setWrite({
      path: path + query(MANAGER),
      call: { method: 'PATCH', contentType: MERGE, body },
      before: before as unknown as Json,
      verb: `Scale to ${replicas}`,
    });
  };
  return (
    <Dialog title={`Scale ${object.metadata.name}`} close={close}>
      {error && <p class="error">{error}</p>}
      {write ? (
        <Review write={write} done={close} cancel={() => setWrite(undefined)} />
      ) : (
        <form onSubmit={review}>
          <label>
            Replicas
            <input type="number" name="replicas" min="0" max="2147483647" required value={replicas} onInput={(event) => setReplicas(event.currentTarget.value)} />
          </label>
          <p class="buttons">
            <button type="submit" class="primary" disabled={!before}>
              Review
            </button>
            <button type="button" onClick={close}>
              Cancel
            </button>
          </p>
        </form>
      )}
    </Dialog>
  );
}

function Restart({ type, object, close }: ActionProps) {
  const [write] = useState<Write>(() => {
    const restarted = { 'kubectl.kubernetes.io/restartedAt': new Date().toISOString().replace(/\.\d+/, '') };
    return {
      path: pathOf(type, object.metadata.namespace, object.metadata.name) + query(MANAGER),
      call: { method: 'PATCH', contentType: MERGE, body: JSON.stringify({ spec: { template: { metadata: { annotations: restarted } } } }) },
      before: object as unknown as Json,
      verb: 'Restart',
      keepsStatus: true,
    };
  });
  return (
    <Dialog title={`Restart ${object.metadata.name}`} close={close}>
      <p>The pods are replaced one after the other: their template gets an annotation, as by kubectl rollout restart.</p>
      <Review write={write} done={close} cancel={close} />
    </Dialog>
  );
}

const PROPAGATION = [
  ['Background', 'The object goes at once; what it owns is deleted after it.'],
  ['Foreground', 'The object stays until what it owns and what blocks its deletion has gone.'],
  ['Orphan', 'What it owns stays and loses its owner.'],
] as const;

function Delete({ type, object, close }: ActionProps) {
  const { namespace, name, uid, finalizers } = object.metadata;
  const [policy, setPolicy] = useState<string>('Background');
  const [write, setWrite] = useState<Write>();
  const review = (event: Event) => {
    event.preventDefault();
    const options = {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      propagationPolicy: policy,
      // not another object of the same name
      preconditions: { uid },
    };
    setWrite({ path: pathOf(type, namespace, name), call: { method: 'DELETE', body: JSON.stringify(options) }, verb: `Delete ${name}` });
  };
  return (
    <Dialog title={`Delete ${type.kind} ${name}`} close={close}>
      {write ? (
        <Review write={write} done={close} cancel={() => setWrite(undefined)} />
      ) : (
        <form onSubmit={review}>
          <fieldset>
            <legend>What it owns</legend>
            {PROPAGATION.map(([value, meaning]) => (
              <label key={value} class="choice">
                <input type="radio" name="policy" value={value} checked={policy === value} onChange={() => setPolicy(value)} />
                <span>
                  <strong>{value}</strong> {meaning}
                </span>
              </label>
            ))}
          </fieldset>
          {finalizers?.length ? <p>It stays until its finalizers are removed: {finalizers.join(', ')}.</p> : null}
          <p class="buttons">
            <button type="submit" class="danger">
              Review
            </button>
            <button type="button" onClick={close}>
              Cancel
            </button>
          </p>
        </form>
      )}
    </Dialog>
  );
}
