import type { TypeSchema } from './schema';
import type { Json, Resource } from './types';

type Part = { [key: string]: Json };

const LABELS: Part = { app: 'example' };
const POD: Part = { containers: [{ name: 'main', image: 'registry.example/image:1' }] };
const WORKLOAD: Part = { selector: { matchLabels: LABELS }, template: { metadata: { labels: LABELS }, spec: POD } };

/** What is written of types whose required fields alone would not be of use, by RESOURCE.GROUP. */
const PICKED: Record<string, Part> = {
  'deployments.apps': { spec: { replicas: 1, ...WORKLOAD } },
  'statefulsets.apps': { spec: { replicas: 1, serviceName: 'example', ...WORKLOAD } },
  'daemonsets.apps': { spec: WORKLOAD },
  'jobs.batch': { spec: { template: { spec: { ...POD, restartPolicy: 'Never' } } } },
  'cronjobs.batch': { spec: { schedule: '0 3 * * *', jobTemplate: { spec: { template: { spec: { ...POD, restartPolicy: 'Never' } } } } } },
  'pods.': { spec: POD },
  'configmaps.': { data: { key: 'value' } },
  'secrets.': { type: 'Opaque', stringData: { key: 'value' } },
  'services.': { spec: { selector: LABELS, ports: [{ name: 'http', port: 80, targetPort: 8080 }] } },
  'namespaces.': {},
  'serviceaccounts.': {},
  'persistentvolumeclaims.': { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
  'ingresses.networking.k8s.io': {
    spec: { rules: [{ host: 'example.com', http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'example', port: { number: 80 } } } }] } }] },
  },
  'networkpolicies.networking.k8s.io': { spec: { podSelector: {}, policyTypes: ['Ingress'] } },
  'roles.rbac.authorization.k8s.io': { rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] }] },
  'clusterroles.rbac.authorization.k8s.io': { rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] }] },
  'rolebindings.rbac.authorization.k8s.io': {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'example' },
    subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'ann' }],
  },
  'clusterrolebindings.rbac.authorization.k8s.io': {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'ann' }],
  },
};

/** An object to begin with. */
export function templateOf(type: Resource, namespace: string, schema: TypeSchema | undefined): Json {
  const metadata: Part = { name: 'example', ...(type.namespaced ? { namespace: namespace || 'default' } : {}) };
  const begin: Part = { apiVersion: type.group ? `${type.group}/${type.version}` : type.version, kind: type.kind, metadata };
  const picked = PICKED[`${type.resource}.${type.group}`];
  if (picked) {
    return { ...begin, ...picked };
  }
  const made = schema?.smallest(schema.root);
  const { apiVersion: _version, kind: _kind, metadata: _metadata, status: _status, ...rest } = (typeof made === 'object' && made !== null && !Array.isArray(made) ? made : {}) as Part;
  const spec = schema?.at(['spec']);
  // a spec that is not required is a place for what is to be written
  return { ...begin, ...(spec && !('spec' in rest) ? { spec: schema!.smallest(spec) } : {}), ...rest };
}
