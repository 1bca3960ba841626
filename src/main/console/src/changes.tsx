import { useState } from 'preact/hooks';
import { ApiError, METADATA_LIST, get, isAbort, messageOf, pathOf, query } from './api';
import { Target, shortTime, type AuditEvent } from './audit';
import type { Catalog } from './discovery';
import type { Revision } from './history';
import { ErrorBox, Field } from './parts';
import { rangeOf, type Range } from './revisions';
import { objectLink, setQuery } from './router';
import type { KubeObject, List, ObjectMeta, Resource } from './types';

/** A change that was found. */
interface Change {
  time: string;
  what: string;
  who: string;
  type: Resource;
  namespace: string;
  name: string;
  revision: string;
}

/** Objects of a type that are looked at. */
const MOST_OBJECTS = 2000;
/** Objects whose histories are read. */
const MOST_HISTORIES = 300;

/** Events that one request for the trail asks for, and that are enough. */
const MOST_EVENTS = 500;
/** Pages of the trail that are read for changes of the chosen writers. */
const MOST_PAGES = 10;

/** Whose writes are shown, as the address names it. */
const WRITERS = [
  ['', 'everybody'],
  ['apps', 'people and applications'],
  ['people', 'people'],
] as const;
type Writers = (typeof WRITERS)[number][0];

/** Service accounts of the controllers. */
const CONTROLLERS = 'system:serviceaccount:kube-system:';
const SERVICE_ACCOUNT = 'system:serviceaccount:';

/** Whether a user is among the chosen writers. */
function isChosen(user: string, writers: Writers): boolean {
  switch (writers) {
    case '':
      return true;
    case 'apps':
      return !user.startsWith('system:') || (user.startsWith(SERVICE_ACCOUNT) && !user.startsWith(CONTROLLERS));
    case 'people':
      return !user.startsWith('system:');
  }
}

/** Managers of fields that are parts of a cluster, this server included. */
const SYSTEM = /^(kube-.*|kubelet|keelson|cloud-controller-manager)$/;

/** Whether the history takes a change for one of the system: it knows no users. */
function isOfSystem(revision: Revision): boolean {
  return revision.subresource === 'status' || SYSTEM.test(revision.manager ?? '');
}

/** What changed in a namespace in a stretch of time. */
export function ChangesView({ catalog, search }: { catalog: Catalog; search: URLSearchParams }) {
  const namespace = search.get('namespace') ?? 'default';
  const from = search.get('from') ?? local(Date.now() - 5 * 60_000);
  // the inputs have whole minutes: the one that has begun counts
  const until = search.get('until') ?? local(Date.now() + 60_000);
  const writers = WRITERS.find(([id]) => id === search.get('by'))?.[0] ?? '';
  const trail = catalog.find('audit.keelson.dev', 'auditevents');
  const [found, setFound] = useState<{ changes?: Change[]; events?: AuditEvent[]; notes: string[] }>();
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState('');
  const look = (event: Event) => {
    event.preventDefault();
    setError(undefined);
    setFound(undefined);
    const window: Window = [new Date(from), new Date(until)];
    setBusy('looking');
    const fromHistory = () => ofHistory(catalog, namespace, window, writers, setBusy);
    const answer = trail ? ofTrail(trail, namespace, window, writers).catch((problem: unknown) => instead(problem, fromHistory)) : fromHistory();
    answer.then(setFound, setError).finally(() => setBusy(''));
  };
  return (
    <section class="changes" aria-labelledby="title">
      <header class="bar">
        <h1 id="title">Changes in a namespace</h1>
        <span class="state" role="status">
          {busy}
        </span>
      </header>
      <form class="filters" onSubmit={look}>
        <Field label="Namespace" name="namespace" value={namespace} set={(value) => setQuery({ namespace: value.trim() })} />
        <Field label="From (your time)" name="from" type="datetime-local" value={from} set={(value) => setQuery({ from: value })} />
        <Field label="Until" name="until" type="datetime-local" value={until} set={(value) => setQuery({ until: value })} />
        <label>
          Writes of
          <select name="by" value={writers} onChange={(event) => setQuery({ by: event.currentTarget.value || undefined })}>
            {WRITERS.map(([id, title]) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" class="primary" disabled={!!busy || !namespace}>
          Show changes
        </button>
      </form>
      <p class="hint">
        {trail && !found?.changes
          ? 'From the audit trail: every successful write that its policy records, with the user; dry runs are left out. Writes that the policy leaves out are missing.'
          : 'From the history in the store: the writes of objects that exist, and of deleted ones that the oldest readable revision still shows. It goes back as far as --history-retention. Who is the manager of the fields; a user is known with an audit trail only. A removal has no time of its own: it is shown with the last known change before it.'}
      </p>
      {error !== undefined && <ErrorBox error={error} />}
      {found?.notes.map((note) => (
        <p key={note} class="hint">
          {note}
        </p>
      ))}
      {found && (found.changes ?? found.events)?.length === 0 && <p class="empty">Nothing changed that can be seen from here.</p>}
      {!!found?.changes?.length && (
        <table class="small events">
          <Head />
          <tbody>
            {found.changes.map((each) => (
              <tr key={`${each.type.resource}/${each.name}/${each.revision}`}>
                <td>{shortTime(each.time)}</td>
                <td>{each.what}</td>
                <td class="object">
                  {each.type.kind}{' '}
                  <a href={`${objectLink(each.type, each.namespace, each.name)}?tab=history&revision=${each.revision}`}>{each.name}</a>
                </td>
                <td class="who">{each.who}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {!!found?.events?.length && (
        <table class="small events">
          <Head />
          <tbody>
            {found.events.map((event) => (
              <tr key={event.metadata.name}>
                <td>{shortTime(event.stageTimestamp)}</td>
                <td>{event.verb}</td>
                <td class="object">
                  <Target event={event} catalog={catalog} />
                </td>
                <td class="who">
                  {event.user.username}
                  {event.impersonatedUser && ` as ${event.impersonatedUser.username}`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Head() {
  return (
    <thead>
      <tr>
        <th scope="col">Time</th>
        <th scope="col">Change</th>
        <th scope="col">Object</th>
        <th scope="col">By</th>
      </tr>
    </thead>
  );
}

type Window = [Date, Date];

/** A time as an input of the browser has it, in the time zone of the user. */
function local(time: number): string {
  return new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Who may not read the trail may read the histories. */
async function instead(problem: unknown, look: () => ReturnType<typeof ofHistory>): ReturnType<typeof ofHistory> {
  if (!(problem instanceof ApiError && problem.code === 403)) {
    throw problem;
  }
  const found = await look();
  return { ...found, notes: [`Without the audit trail: ${messageOf(problem)}`, ...found.notes] };
}

async function ofTrail(type: Resource, namespace: string, [from, until]: Window, writers: Writers): Promise<{ events: AuditEvent[]; notes: string[] }> {
  const events: AuditEvent[] = [];
  let more: string | undefined;
  let pages = 0;
  do {
    const path =
      pathOf(type, namespace) +
      query({
        labelSelector: 'verb in (create,update,patch,delete,deletecollection)',
        fieldSelector: 'code=2xx,stage=ResponseComplete',
        since: from.toISOString(),
        until: until.toISOString(),
        limit: String(MOST_EVENTS),
        continue: more,
      });
    const list = await get<List<AuditEvent>>(path);
    events.push(...list.items.filter((event) => !/[?&]dryRun=/.test(event.requestURI) && isChosen(event.user.username ?? '', writers)));
    more = list.metadata.continue;
    pages++;
  } while (more && events.length < MOST_EVENTS && pages < MOST_PAGES);
  const notes = more ? [`Of the newest ${pages * MOST_EVENTS} writes these are shown; a shorter time shows all.`] : [];
  return { events, notes };
}

/** Types whose changes are no changes that somebody looks for: each pod start writes many. */
const NOISE = ['events', 'leases'];

async function ofHistory(catalog: Catalog, namespace: string, window: Window, writers: Writers, say: (text: string) => void): Promise<{ changes: Change[]; notes: string[] }> {
  const types = catalog.listed().filter((type) => type.namespaced && type.verbs.includes('get') && type.verbs.includes('watch') && !NOISE.includes(type.resource));
  const notes: string[] = writers ? ['The history knows managers and no users: writes of status and those of the managers of a cluster are left out.'] : [];
  let range: Range | undefined;
  try {
    range = await rangeOf(pathOf({ group: '', version: 'v1', resource: 'configmaps' }, namespace));
  } catch (error) {
    notes.push(`Deleted objects are not looked for: ${messageOf(error)}`);
  }
  const candidates: { type: Resource; metadata: ObjectMeta }[] = [];
  for (const type of types) {
    say(`looking at ${type.resource}`);
    try {
      const now = await metadataOf(type, namespace, {});
      const seen = new Set(now.map((each) => each.name));
      now.filter((each) => touched(each, window)).forEach((metadata) => candidates.push({ type, metadata }));
      if (range && range.oldest < range.newest) {
        const then = await metadataOf(type, namespace, { resourceVersion: String(range.oldest), resourceVersionMatch: 'Exact' });
        then.filter((each) => !seen.has(each.name)).forEach((metadata) => candidates.push({ type, metadata }));
      }
    } catch (error) {
      if (isAbort(error)) {
        throw error;
      }
      notes.push(`${type.resource} are left out: ${messageOf(error)}`);
    }
  }
  if (candidates.length > MOST_HISTORIES) {
    notes.push(`${candidates.length} objects were touched; the first ${MOST_HISTORIES} are shown.`);
  }
  const changes: Change[] = [];
  const refused = new Set<Resource>();
  for (const { type, metadata } of candidates.slice(0, MOST_HISTORIES)) {
    if (refused.has(type)) {
      continue;
    }
    say(`reading the history of ${type.resource} ${metadata.name}`);
    const path = pathOf(type, namespace, metadata.name);
    try {
      const list = await get<List<Revision>>(`${path}/history`);
      changes.push(...changesOf(list.items, type, namespace, metadata.name, window, writers));
    } catch (error) {
      notes.push(`${type.resource} ${metadata.name}: ${messageOf(error)}`);
      if (error instanceof ApiError && error.code === 403) {
        refused.add(type);
      }
    }
  }
  return { changes: changes.sort((a, b) => Number(b.revision) - Number(a.revision)), notes };
}

function changesOf(revisions: Revision[], type: Resource, namespace: string, name: string, [from, until]: Window, writers: Writers): Change[] {
  return revisions.flatMap((each, place) => {
    // the newest is first: a removal has the time of what came before it
    const time = each.time ?? revisions[place + 1]?.time ?? '';
    const at = Date.parse(time);
    const what = (each.removed ? 'removed (no earlier than this)' : each.verb) + (each.subresource ? ` of ${each.subresource}` : '');
    if (writers && isOfSystem(each)) {
      return [];
    }
    return at >= from.getTime() && at <= until.getTime() ? [{ time, what, who: each.manager ?? '', type, namespace, name, revision: each.metadata.resourceVersion }] : [];
  });
}

async function metadataOf(type: Resource, namespace: string, more: Record<string, string>): Promise<ObjectMeta[]> {
  const list = await get<List<KubeObject>>(pathOf(type, namespace) + query({ limit: String(MOST_OBJECTS), ...more }), { accept: METADATA_LIST });
  return list.items.map((item) => item.metadata);
}

/** Whether something of an object was last written in or after the window: managers keep their last time only. */
function touched(metadata: ObjectMeta, [from]: Window): boolean {
  const times = [metadata.creationTimestamp, metadata.deletionTimestamp, ...(metadata.managedFields ?? []).map((entry) => entry.time)];
  return times.some((time) => !!time && Date.parse(time) >= from.getTime());
}
