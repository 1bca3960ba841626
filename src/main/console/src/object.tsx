import { useEffect, useMemo, useState } from 'preact/hooks';
import { ApiError, fieldValue, get, isAbort, pathOf, query, watch } from './api';
import type { Catalog } from './discovery';
import { Actions } from './actions';
import { Events } from './events';
import type { HistoryProps } from './history';
import { Lazy } from './lazy';
import { Ownership, type Owner } from './managed';
import { ErrorBox, Pane, Tabs } from './parts';
import { Dependents, Owners } from './relations';
import { setQuery, tableLink } from './router';
import { age } from './rows';
import type { Json, KubeObject, Resource } from './types';
import { linesOf, type Line } from './yaml';

interface Seen {
  object?: KubeObject;
  deleted?: boolean;
  error?: unknown;
}

const TABS = ['summary', 'yaml', 'owners', 'history', 'edit'] as const;
type Tab = (typeof TABS)[number];
const TITLES: Record<Tab, string> = { summary: 'Summary', yaml: 'YAML', owners: 'Who owns which field', history: 'History', edit: 'Edit' };

/** One object, as it is now: it changes while it is shown. */
export function ObjectView(props: { type: Resource; namespace: string; name: string; search: URLSearchParams; catalog: Catalog }) {
  const { type, namespace, name, search, catalog } = props;
  const { object, deleted, error } = useObject(type, namespace, name);
  const tab = TABS.find((each) => each === search.get('tab')) ?? 'summary';
  return (
    <section class="object-view" aria-labelledby="title">
      <header class="bar">
        <h1 id="title">{name}</h1>
        <span class="group">
          <a href={tableLink(type, namespace)}>{type.kind}</a>
          {namespace && ` in ${namespace}`}
        </span>
        {deleted && <span class="state failed">deleted</span>}
        {object && !deleted && <Actions type={type} object={object} />}
      </header>
      {error !== undefined && <ErrorBox error={error} />}
      {!object && error !== undefined && <Past type={type} namespace={namespace} name={name} search={search} />}
      {object && (
        <>
          <Tabs
            label="Views of the object"
            tabs={TABS.filter((each) => each !== 'edit' || type.verbs.includes('update')).map((each) => [each, TITLES[each]] as const)}
            selected={tab}
            select={(each) => setQuery({ tab: each === 'summary' ? undefined : each })}
          >
            {tab === 'summary' && <Summary type={type} object={object} catalog={catalog} />}
            {tab === 'yaml' && <Yaml object={object} />}
            {tab === 'owners' && <OwnedYaml object={object} />}
            {tab === 'history' && <Past type={type} namespace={namespace} name={name} search={search} object={object} />}
            {tab === 'edit' && <LazyEditor type={type} object={object} />}
          </Tabs>
        </>
      )}
    </section>
  );
}

/** Reads an object, then watches it alone; after an end of the watch it is read again. */
function useObject(type: Resource, namespace: string, name: string): Seen {
  const [seen, setSeen] = useState<Seen>({});
  useEffect(() => {
    const stop = new AbortController();
    const follow = async () => {
      for (let wait = 500; !stop.signal.aborted; wait = Math.min(wait * 2, 30_000)) {
        try {
          const object = await get<KubeObject>(pathOf(type, namespace, name), { signal: stop.signal });
          setSeen({ object });
          if (!type.verbs.includes('watch')) {
            return;
          }
          wait = 500;
          const parameters = { watch: '1', fieldSelector: `metadata.name=${fieldValue(name)}`, resourceVersion: object.metadata.resourceVersion };
          await watch<KubeObject>(pathOf(type, namespace) + query(parameters), { signal: stop.signal }, (event) => {
            if (event.type === 'ERROR') {
              throw new ApiError(410, 'the watch ended');
            }
            setSeen({ object: event.object, deleted: event.type === 'DELETED' });
          });
        } catch (error) {
          if (isAbort(error)) {
            return;
          }
          if (error instanceof ApiError && error.code === 404) {
            setSeen((known) => (known.object ? { ...known, deleted: true } : { error }));
            return;
          }
          if (!(error instanceof ApiError && error.code === 410)) {
            setSeen((known) => ({ ...known, error }));
          }
          if (error instanceof ApiError && error.code === 403) {
            // whoever may get an object may lack the right to watch it
            return;
          }
        }
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    };
    void follow();
    return () => stop.abort();
  }, [type, namespace, name]);
  return seen;
}

function Summary({ type, object, catalog }: { type: Resource; object: KubeObject; catalog: Catalog }) {
  const { metadata } = object;
  return (
    <div class="panes">
      <Pane title="Metadata">
        <dl>
          <dt>Created</dt>
          <dd>
            {metadata.creationTimestamp} ({age(metadata.creationTimestamp, Date.now())})
          </dd>
          {metadata.deletionTimestamp && (
            <>
              <dt>Deletion</dt>
              <dd>requested for {metadata.deletionTimestamp}; waits for {(metadata.finalizers ?? []).join(', ') || 'its grace period'}</dd>
            </>
          )}
          <dt>UID</dt>
          <dd>{metadata.uid}</dd>
          <dt>Version</dt>
          <dd>{metadata.resourceVersion}</dd>
          <Texts title="Labels" texts={metadata.labels} />
          <Texts title="Annotations" texts={metadata.annotations} />
          {metadata.finalizers && (
            <>
              <dt>Finalizers</dt>
              <dd>{metadata.finalizers.join(', ')}</dd>
            </>
          )}
        </dl>
      </Pane>
      <Conditions object={object} />
      <Owners object={object} catalog={catalog} />
      <Dependents object={object} type={type} catalog={catalog} />
      <Events type={type} object={object} />
    </div>
  );
}

function Texts({ title, texts }: { title: string; texts: Record<string, string> | undefined }) {
  return texts && Object.keys(texts).length ? (
    <>
      <dt>{title}</dt>
      <dd>
        <ul class="texts">
          {Object.entries(texts).map(([key, value]) => (
            <li key={key}>
              <span class="key">{key}</span> <Value text={value} />
            </li>
          ))}
        </ul>
      </dd>
    </>
  ) : null;
}

/** Characters that are shown at once of a value, such as what kubectl last applied. */
const MOST_SHOWN = 200;

function Value({ text }: { text: string }) {
  return text.length <= MOST_SHOWN ? (
    <span class="value">{text}</span>
  ) : (
    <details class="long">
      <summary>{text.length} characters</summary>
      <span class="value">{text}</span>
    </details>
  );
}

interface Condition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
}

/** Conditions that are good when they are False. */
const ADVERSE = /(Pressure|Failure|Failed|Unavailable|Terminating|Dangling|Conflict|Stalled)$/;

function Conditions({ object }: { object: KubeObject }) {
  const conditions = (object['status'] as { conditions?: Condition[] } | undefined)?.conditions;
  if (!conditions?.length) {
    return null;
  }
  const isGood = (each: Condition) => (each.status === 'True') !== ADVERSE.test(each.type);
  return (
    <Pane title="Conditions">
      <table class="small">
        <thead>
          <tr>
            <th scope="col">Type</th>
            <th scope="col">Status</th>
            <th scope="col">Reason</th>
            <th scope="col">Since</th>
          </tr>
        </thead>
        <tbody>
          {conditions.map((each) => (
            <tr key={each.type} title={each.message}>
              <td>{each.type}</td>
              <td class={each.status === 'Unknown' ? '' : isGood(each) ? 'good' : 'bad'}>{each.status}</td>
              <td>
                {each.reason}
                {each.message && <p class="message">{each.message}</p>}
              </td>
              <td class="age">{age(each.lastTransitionTime, Date.now())}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Pane>
  );
}

/** Without managedFields, which have a view of their own. */
function shown(object: KubeObject): Json {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata } as unknown as Json;
}

function Yaml({ object }: { object: KubeObject }) {
  const lines = useMemo(() => linesOf(shown(object)), [object]);
  return (
    <pre class="yaml" tabIndex={0} role="region" aria-label="YAML">
      {lines.map((line) => line.text + '\n')}
    </pre>
  );
}

/** Colours that are told apart; more managers begin again. */
const COLOURS = 8;

/** Each line with the manager that owns its field. */
function OwnedYaml({ object }: { object: KubeObject }) {
  const ownership = useMemo(() => new Ownership(object), [object]);
  const lines = useMemo(() => linesOf(shown(object)), [object]);
  const [only, setOnly] = useState<Owner>();
  return (
    <div class="owned">
      <ul class="legend">
        {ownership.owners.map((owner, place) => (
          <li key={place}>
            <button type="button" class={`owner-${place % COLOURS}`} aria-pressed={owner === only} onClick={() => setOnly(owner === only ? undefined : owner)}>
              {owner.manager}
            </button>{' '}
            {owner.operation}
            {owner.subresource && ` of ${owner.subresource}`} {owner.time && `${age(owner.time, Date.now())} ago`}
          </li>
        ))}
        {ownership.owners.length === 0 && <li>No manager is recorded.</li>}
      </ul>
      <pre class="yaml" tabIndex={0} role="region" aria-label="YAML">
        {lines.map((line, place) => (
          <OwnedLine key={place} line={line} ownership={ownership} only={only} />
        ))}
      </pre>
    </div>
  );
}

function OwnedLine({ line, ownership, only }: { line: Line; ownership: Ownership; only: Owner | undefined }) {
  const owners = ownership.of(line.path);
  const first = owners[0];
  const colour = first ? `owner-${ownership.owners.indexOf(first) % COLOURS}` : '';
  const faded = only && !owners.includes(only) ? ' faded' : '';
  return (
    <span class={`line ${colour}${faded}`} title={owners.map((owner) => `${owner.manager} (${owner.operation})`).join('\n')} data-owner={first?.manager}>
      {line.text + '\n'}
    </span>
  );
}

/** The editor is loaded when it is used: it weighs more than all the rest. */
function LazyEditor({ type, object }: { type: Resource; object: KubeObject }) {
  return <Lazy load={() => import('./editor').then((part) => part.Editor)} props={{ type, object }} />;
}

/** An object that is no longer there has a history all the same. */
function Past(props: HistoryProps) {
  return <Lazy load={() => import('./history').then((part) => part.History)} props={props} />;
}
