import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { actAs, messageOf, post } from './api';
import type { Catalog } from './discovery';
import { ErrorBox, Field, Tabs } from './parts';
import { CLUSTER_ROLES, CLUSTER_ROLE_BINDINGS, ROLES, ROLE_BINDINGS, Rights, allows, groupsOf, isSubject, type Action, type Grant, type Rule, type Subject } from './rbac';
import { objectLink, setQuery } from './router';

const TABS = [
  ['who', 'Who can do this'],
  ['what', 'What can she do'],
  ['own', 'What can I do'],
  ['as', 'See it as another user'],
] as const;

const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection', 'impersonate', 'bind', 'escalate', 'approve', 'use'];

/** Who may do what, and where each right comes from, as far as the signed-in user may read it. */
export function AccessView({ catalog, search }: { catalog: Catalog; search: URLSearchParams }) {
  const tab = TABS.find(([id]) => id === search.get('tab'))?.[0] ?? 'who';
  return (
    <section class="access" aria-labelledby="title">
      <header class="bar">
        <h1 id="title">Access</h1>
      </header>
      <Tabs label="Questions" tabs={TABS} selected={tab} select={(id) => setQuery({ tab: id })}>
        {tab === 'who' && <WhoCan catalog={catalog} search={search} />}
        {tab === 'what' && <WhatCan search={search} />}
        {tab === 'own' && <Own search={search} />}
        {tab === 'as' && <SeeAs />}
      </Tabs>
    </section>
  );
}

/** The grants of a namespace; read again when it changes. */
function useRights(namespace: string): { rights?: Rights; error?: unknown } {
  const [found, setFound] = useState<{ rights?: Rights; error?: unknown }>({});
  useEffect(() => {
    let current = true;
    const read = () =>
      Rights.read(namespace).then(
        (rights) => current && setFound({ rights }),
        (error) => current && setFound({ error }),
      );
    // a namespace that is being typed is not asked for
    const timer = setTimeout(() => void read(), 250);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [namespace]);
  return found;
}

/** Sets a parameter of the address by an input. */
const set = (name: string) => (value: string) => setQuery({ [name]: value.trim() || undefined });

function Problems({ found }: { found: { rights?: Rights; error?: unknown } }) {
  return (
    <>
      {found.error !== undefined && <ErrorBox error={found.error} />}
      {found.rights?.missing.map((each) => (
        <p key={each} class="hint">
          Not all is shown: {each}
        </p>
      ))}
    </>
  );
}

function WhoCan({ catalog, search }: { catalog: Catalog; search: URLSearchParams }) {
  const verb = search.get('verb') ?? 'get';
  const asked = search.get('resource') ?? 'secrets';
  const namespace = search.get('namespace') ?? 'default';
  const name = search.get('name') ?? '';
  const found = useRights(namespace);
  const [plain = '', subresource] = asked.split('/');
  const dot = plain.indexOf('.');
  const type = catalog.types.find((each) => (dot < 0 ? each.resource === plain || each.shortNames.includes(plain) : `${each.resource}.${each.group}` === plain));
  const resource = (type?.resource ?? plain) + (subresource ? `/${subresource}` : '');
  const action: Action = { verb, group: type?.group ?? (dot < 0 ? '' : plain.slice(dot + 1)), resource, namespace, name };
  const grants = useMemo(() => (found.rights?.grants(() => true) ?? []).filter((grant) => allows(grant.rule, action)), [found.rights, verb, asked, namespace, name, type]);
  const names = useMemo(() => [...new Set(catalog.types.map((each) => (each.group ? `${each.resource}.${each.group}` : each.resource)))].sort(), [catalog]);
  return (
    <>
      <div class="filters">
        <Field label="Verb" name="verb" value={verb} set={set('verb')} list={VERBS} />
        <Field label="Resource" name="resource" value={asked} set={set('resource')} list={names} hint="deployments.apps, pods/log" />
        <Field label="Namespace" name="namespace" value={namespace} set={(value) => setQuery({ namespace: value })} hint="none: in the cluster" />
        <Field label="Name" name="name" value={name} set={set('name')} hint="any" />
      </div>
      <Problems found={found} />
      {!type && <p class="hint">The server serves no type of this name; rules can name it all the same.</p>}
      {found.rights && (
        <Grants
          first="Subject"
          caption={
            <>
              {grants.length ? 'Subjects who' : found.rights.missing.length ? 'No subject is known who' : 'No subject'} can {verb} {asked}
              {name && ` ${name}`} {namespace ? `in ${namespace}` : 'in the cluster'} by role-based access control
            </>
          }
          rows={grants.flatMap((grant) => grant.subjects.map((subject) => ({ first: <SubjectName subject={subject} />, grant })))}
        />
      )}
      <p class="hint">
        Members of system:masters may do everything without a binding. Other authorizers (Node, Webhook, ABAC) and who is in which group are
        not known here; the server decides each request.
      </p>
    </>
  );
}

/** Where rights come from; only the caption if there are none. */
function Grants({ first, caption, rows }: { first: string; caption: ComponentChildren; rows: { first: ComponentChildren; grant: Grant }[] }) {
  return (
    <table class="small grants">
      <caption>{caption}</caption>
      {rows.length > 0 && (
        <>
          <thead>
            <tr>
              <th scope="col">{first}</th>
              <th scope="col">By binding</th>
              <th scope="col">Of role</th>
              <th scope="col">Rule</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, place) => (
              <tr key={place}>
                <td>{row.first}</td>
                <Source grant={row.grant} />
              </tr>
            ))}
          </tbody>
        </>
      )}
    </table>
  );
}

function SubjectName({ subject }: { subject: Subject }) {
  const text = subject.kind === 'ServiceAccount' ? `${subject.namespace}/${subject.name}` : subject.name;
  const query: Record<string, string> = {
    tab: 'what',
    kind: subject.kind === 'Group' ? 'Group' : 'User',
    subject: subject.kind === 'ServiceAccount' ? `system:serviceaccount:${subject.namespace}:${subject.name}` : subject.name,
  };
  return (
    <>
      {subject.kind} <a href={`/console/access?${new URLSearchParams(query)}`}>{text}</a>
    </>
  );
}

/** Binding, role and rule of a grant. */
function Source({ grant }: { grant: Grant }) {
  const { binding, role, rule, from } = grant;
  const namespace = binding.metadata.namespace ?? '';
  return (
    <>
      <td>
        <a href={objectLink(namespace ? ROLE_BINDINGS : CLUSTER_ROLE_BINDINGS, namespace, binding.metadata.name)}>{binding.metadata.name}</a>
        {namespace ? ` in ${namespace}` : ' in the cluster'}
      </td>
      <td>
        <a href={objectLink(role.metadata.namespace ? ROLES : CLUSTER_ROLES, role.metadata.namespace ?? '', role.metadata.name)}>{role.metadata.name}</a>
        {from.length > 0 && <span class="hint"> by {from.join(', ')}</span>}
      </td>
      <td>
        <RuleText rule={rule} />
      </td>
    </>
  );
}

function RuleText({ rule }: { rule: Rule }) {
  const resources = (rule.resources ?? []).flatMap((resource) => (rule.apiGroups ?? ['']).map((group) => (group && group !== '*' ? `${resource}.${group}` : resource + (group === '*' ? '.*' : ''))));
  return (
    <code>
      {rule.verbs.join(', ')} {[...resources, ...(rule.nonResourceURLs ?? [])].join(', ')}
      {rule.resourceNames?.length ? ` named ${rule.resourceNames.join(', ')}` : ''}
    </code>
  );
}

function WhatCan({ search }: { search: URLSearchParams }) {
  const kind = search.get('kind') ?? 'User';
  const subject = search.get('subject') ?? '';
  const groups = search.get('groups') ?? '';
  const namespace = search.get('namespace') ?? 'default';
  const found = useRights(namespace);
  const grants = useMemo(() => {
    const more = groups.split(',').map((each) => each.trim()).filter(Boolean);
    const user = kind === 'User' ? subject : '';
    const all = kind === 'User' ? groupsOf(user, more) : [subject];
    return subject ? (found.rights?.grants((each) => isSubject(each, user, all)) ?? []) : [];
  }, [found.rights, kind, subject, groups]);
  return (
    <>
      <div class="filters">
        <label>
          Kind
          <select name="kind" value={kind} onChange={(event) => setQuery({ kind: event.currentTarget.value })}>
            <option>User</option>
            <option>Group</option>
          </select>
        </label>
        <Field label="Name" name="subject" value={subject} set={set('subject')} hint="ann, system:serviceaccount:shop:web" />
        {kind === 'User' && <Field label="Groups" name="groups" value={groups} set={set('groups')} hint="dev,ops" />}
        <Field label="Namespace" name="namespace" value={namespace} set={(value) => setQuery({ namespace: value })} hint="none: in the cluster" />
      </div>
      <Problems found={found} />
      {subject && found.rights && (
        <Grants
          first="By"
          caption={
            <>
              {grants.length ? `What ${subject} can do` : `No binding gives ${subject} a right`} {namespace ? `in ${namespace}` : 'in the cluster'}
            </>
          }
          rows={grants.map((grant) => ({ first: grant.subjects.map((each) => `${each.kind} ${each.name}`).join(', '), grant }))}
        />
      )}
      {subject && kind === 'User' && <Check user={subject} groups={groups} namespace={namespace} />}
    </>
  );
}

/** Asks the server itself, all authorizers included. */
function Check({ user, groups, namespace }: { user: string; groups: string; namespace: string }) {
  const [verb, setVerb] = useState('get');
  const [resource, setResource] = useState('secrets');
  const [answer, setAnswer] = useState('');
  const ask = (event: Event) => {
    event.preventDefault();
    const [plain = '', subresource = ''] = resource.split('/');
    const dot = plain.indexOf('.');
    const resourceAttributes = { namespace, verb, resource: dot < 0 ? plain : plain.slice(0, dot), group: dot < 0 ? '' : plain.slice(dot + 1), subresource };
    const more = groups.split(',').map((each) => each.trim()).filter(Boolean);
    post<{ status: { allowed: boolean; reason?: string } }>('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: { user, groups: groupsOf(user, more), resourceAttributes },
    }).then(
      ({ status }) => setAnswer(`${status.allowed ? 'Allowed' : 'Not allowed'}${status.reason ? `: ${status.reason}` : ''}`),
      (error) => setAnswer(messageOf(error)),
    );
  };
  return (
    <form class="filters check" onSubmit={ask}>
      <Field label="Ask the server: verb" name="check-verb" value={verb} set={setVerb} list={VERBS} />
      <Field label="Resource" name="check-resource" value={resource} set={setResource} />
      <button type="submit">Ask</button>
      <p role="status">{answer}</p>
    </form>
  );
}

function Own({ search }: { search: URLSearchParams }) {
  const namespace = search.get('namespace') || 'default';
  const [status, setStatus] = useState<{ resourceRules: Rule[]; nonResourceRules: Rule[]; incomplete?: boolean; evaluationError?: string }>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    setError(undefined);
    post<{ status: NonNullable<typeof status> }>('/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectRulesReview',
      spec: { namespace },
    }).then((review) => setStatus(review.status), setError);
  }, [namespace]);
  return (
    <>
      <div class="filters">
        <Field label="Namespace" name="namespace" value={namespace} set={set('namespace')} />
      </div>
      {error !== undefined && <ErrorBox error={error} />}
      {status?.incomplete && <p class="hint">The server says that the list is incomplete. {status.evaluationError}</p>}
      {status && (
        <ul class="rules">
          {[...status.resourceRules, ...status.nonResourceRules].map((rule, place) => (
            <li key={place}>
              <RuleText rule={rule} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function SeeAs() {
  const [user, setUser] = useState('');
  const [group, setGroup] = useState('');
  const begin = (event: Event) => {
    event.preventDefault();
    actAs({ user: user.trim(), group: group.trim() });
  };
  return (
    <form class="filters" onSubmit={begin}>
      <Field label="User" name="user" value={user} set={setUser} hint="ann, system:serviceaccount:shop:web" />
      <Field label="Group (one at most)" name="group" value={group} set={setGroup} hint="dev" />
      <button type="submit" class="primary" disabled={!user.trim()}>
        See it as this user
      </button>
      <p class="hint">
        Every request of this window then acts as the other user (Impersonate-User), which needs the right to impersonate. The audit names
        both. A banner stays until you are yourself again.
      </p>
    </form>
  );
}
