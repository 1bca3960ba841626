import { ApiError, get, pathOf } from './api';
import type { KubeObject, List } from './types';

/** The objects of role-based access control, as far as the console reads them. */
const GROUP = 'rbac.authorization.k8s.io';
const named = (resource: string) => ({ group: GROUP, version: 'v1', resource });
export const ROLES = named('roles');
export const CLUSTER_ROLES = named('clusterroles');
export const ROLE_BINDINGS = named('rolebindings');
export const CLUSTER_ROLE_BINDINGS = named('clusterrolebindings');

export interface Rule {
  verbs: string[];
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
}

export interface Subject {
  kind: 'User' | 'Group' | 'ServiceAccount';
  name: string;
  namespace?: string;
}

interface Role extends KubeObject {
  rules?: Rule[];
  aggregationRule?: { clusterRoleSelectors?: { matchLabels?: Record<string, string> }[] };
}

interface Binding extends KubeObject {
  subjects?: Subject[];
  roleRef: { kind: string; name: string };
}

/** A right as somebody has it: a rule of a role, by a binding. */
export interface Grant {
  rule: Rule;
  role: Role;
  binding: Binding;
  subjects: Subject[];
  /** The roles whose rules the role aggregates and which have this rule. */
  from: string[];
}

export interface Action {
  verb: string;
  group: string;
  /** With its subresource, if it is about one. */
  resource: string;
  namespace: string;
  name: string;
}

/** Everything that grants rights in a namespace (and in the cluster), read with the user's rights. */
export class Rights {
  private readonly roles = new Map<string, Role>();
  private readonly bindings: Binding[];
  /** What could not be read. */
  readonly missing: string[];

  private constructor(roles: Role[], bindings: Binding[], missing: string[]) {
    roles.forEach((role) => this.roles.set(`${role.metadata.namespace ?? ''}/${role.metadata.name}`, role));
    this.bindings = bindings;
    this.missing = missing;
  }

  static async read(namespace: string): Promise<Rights> {
    const missing: string[] = [];
    const read = async <T extends KubeObject>(type: { group: string; version: string; resource: string }, within: string): Promise<T[]> => {
      try {
        return (await get<List<T>>(pathOf(type, within))).items;
      } catch (error) {
        if (error instanceof ApiError && error.code === 403) {
          missing.push(error.message);
          return [];
        }
        throw error;
      }
    };
    const [clusterRoles, clusterBindings, roles, bindings] = await Promise.all([
      read<Role>(CLUSTER_ROLES, ''),
      read<Binding>(CLUSTER_ROLE_BINDINGS, ''),
      namespace ? read<Role>(ROLES, namespace) : [],
      namespace ? read<Binding>(ROLE_BINDINGS, namespace) : [],
    ]);
    return new Rights([...clusterRoles, ...roles], [...clusterBindings, ...bindings], missing);
  }

  /** Every grant of a binding that a test of its subjects lets through. */
  grants(matches: (subject: Subject, binding: Binding) => boolean): Grant[] {
    return this.bindings.flatMap((binding) => {
      const subjects = (binding.subjects ?? []).filter((subject) => matches(subject, binding));
      const within = binding.roleRef.kind === 'Role' ? (binding.metadata.namespace ?? '') : '';
      const role = this.roles.get(`${within}/${binding.roleRef.name}`);
      return subjects.length && role ? (role.rules ?? []).map((rule) => ({ rule, role, binding, subjects, from: this.sources(role, rule) })) : [];
    });
  }

  private sources(role: Role, rule: Rule): string[] {
    const selectors = role.aggregationRule?.clusterRoleSelectors ?? [];
    const text = JSON.stringify(rule);
    return [...this.roles.values()]
      .filter((each) => each !== role && !each.metadata.namespace)
      .filter((each) => selectors.some(({ matchLabels = {} }) => Object.entries(matchLabels).every(([key, value]) => each.metadata.labels?.[key] === value)))
      .filter((each) => each.rules?.some((own) => JSON.stringify(own) === text))
      .map((each) => each.metadata.name);
  }
}

/** Whether a rule allows an action (rbac/v1, PolicyRule). */
export function allows(rule: Rule, action: Action): boolean {
  const any = (list: string[] | undefined, value: string) => !!list && (list.includes('*') || list.includes(value));
  const slash = action.resource.indexOf('/');
  const subresource = slash < 0 ? '' : action.resource.slice(slash);
  return (
    any(rule.verbs, action.verb) &&
    any(rule.apiGroups, action.group) &&
    (any(rule.resources, action.resource) || (subresource !== '' && !!rule.resources?.includes('*' + subresource))) &&
    (!rule.resourceNames?.length || rule.resourceNames.includes(action.name))
  );
}

/** Whether a subject of a binding is a user in some groups. */
export function isSubject(subject: Subject, user: string, groups: string[]): boolean {
  switch (subject.kind) {
    case 'User':
      return subject.name === user;
    case 'Group':
      return groups.includes(subject.name);
    case 'ServiceAccount':
      return user === `system:serviceaccount:${subject.namespace}:${subject.name}`;
  }
}

/** The groups that the server gives every user, and every service account. */
export function groupsOf(user: string, more: string[]): string[] {
  const [, , namespace] = user.startsWith('system:serviceaccount:') ? user.split(':') : [];
  return [...more, ...(namespace ? ['system:serviceaccounts', `system:serviceaccounts:${namespace}`] : []), 'system:authenticated'];
}
