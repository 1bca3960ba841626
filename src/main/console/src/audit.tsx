import { useEffect, useMemo, useState } from 'preact/hooks';
import { ApiError, fieldValue, get, isAbort, pathOf, query, watch } from './api';
import type { Catalog } from './discovery';
import { pause } from './feed';
import { ErrorBox, Field, moveFocus } from './parts';
import { objectLink, setQuery } from './router';
import type { KubeObject, List, Resource, Status } from './types';

export interface AuditEvent extends KubeObject {
  verb: string;
  stage: string;
  user: { username?: string; groups?: string[] };
  impersonatedUser?: { username?: string };
  objectRef?: { resource?: string; namespace?: string; name?: string; apiGroup?: string; apiVersion?: string; subresource?: string };
  responseStatus?: { code?: number; message?: string; reason?: string };
  requestURI: string;
  sourceIPs?: string[];
  userAgent?: string;
  stageTimestamp: string;
}

/** The fields of the search, as the server names them. */
const FIELDS = [
  ['user', 'User', 'ann'],
  ['verb', 'Verb', 'delete'],
  ['resource', 'Resource', 'deployments.apps'],
  ['namespace', 'Namespace', 'all'],
  ['name', 'Name', ''],
  ['code', 'Code', '403, 4xx'],
  ['since', 'Since', '1h, 2026-03-04'],
  ['until', 'Until', 'now'],
  ['text', 'Words', 'in path or message'],
] as const;

/** Events that one page shows; more are loaded on request. */
const CHUNK = 200;
/** Events that the page keeps while it follows new ones. */
const MOST = 2000;
/** The time between two drawings of new events, in milliseconds: there may be thousands a second. */
const PAUSE = 250;

/** The search over the audit trail. */
export function AuditView({ type, catalog, search }: { type: Resource; catalog: Catalog; search: URLSearchParams }) {
  const [events, setEvents] = useState<AuditEvent[]>([]);
  const [more, setMore] = useState('');
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(true);
  const [cut, setCut] = useState(false);
  const live = search.get('live') === '1';
  const selected = Object.fromEntries(FIELDS.map(([name]) => [name, search.get(name) ?? ''])) as Record<string, string>;
  const stage = search.get('stage') ?? 'ResponseComplete';
  const key = JSON.stringify([selected, stage]);
  const ask = (token: string) => {
    const { namespace, since, until, text, ...others } = selected;
    const fields: Record<string, string> = stage === 'any' ? others : { ...others, stage };
    const selector = Object.entries(fields)
      .filter(([, value]) => value)
      .map(([name, value]) => `${name}=${fieldValue(value)}`)
      .join(',');
    return pathOf(type, namespace) + query({ fieldSelector: selector, since, until, text, limit: String(CHUNK), continue: token });
  };
  useEffect(() => {
    const stop = new AbortController();
    // new events, the oldest first
    let come: AuditEvent[] = [];
    let drawing: number | undefined;
    const draw = () => {
      drawing = undefined;
      const newest = come.reverse();
      come = [];
      setEvents((known) => [...newest, ...known].slice(0, MOST));
    };
    const take = (event: AuditEvent) => {
      come.push(event);
      drawing ??= window.setTimeout(draw, PAUSE);
    };
    const begin = async () => {
      const list = await get<List<AuditEvent>>(ask(''), { signal: stop.signal });
      // they are in the list
      come = [];
      setEvents(list.items);
      setMore(list.metadata.continue ?? '');
      setBusy(false);
      setCut(false);
      return list.metadata.resourceVersion;
    };
    const load = async () => {
      setBusy(true);
      setError(undefined);
      // a watch that ends begins again with a search, so that no event is missed; after a cut it waits
      for (let wait = 500; !stop.signal.aborted; ) {
        try {
          const from = await begin();
          wait = 500;
          if (!live || selected['until']) {
            return;
          }
          await follow(ask('').replace(/&?limit=\d+/, '') + `&watch=1&resourceVersion=${from}`, stop.signal, take);
        } catch (problem) {
          if (isAbort(problem)) {
            return;
          }
          if (!live || isFinal(problem)) {
            setError(problem);
            setBusy(false);
            setCut(false);
            return;
          }
          setCut(true);
          await pause(wait, stop.signal);
          wait = Math.min(wait * 2, 30_000);
        }
      }
    };
    const timer = setTimeout(() => void load(), 250);
    return () => {
      clearTimeout(timer);
      clearTimeout(drawing);
      stop.abort();
    };
  }, [key, live]);
  const loadMore = () =>
    get<List<AuditEvent>>(ask(more)).then((list) => {
      setEvents((known) => [...known, ...list.items]);
      setMore(list.metadata.continue ?? '');
    }, setError);
  return (
    <section class="audit" aria-labelledby="title">
      <header class="bar">
        <h1 id="title">Audit</h1>
        <span class={live && !cut ? 'state live' : 'state'} role="status">
          {cut ? 'reconnecting' : busy ? 'searching' : live ? 'live' : `${events.length.toLocaleString('en')}${more ? ' and more' : ''} events`}
        </span>
      </header>
      <div class="filters">
        {FIELDS.map(([name, label, hint]) => (
          <Field key={name} label={label} name={name} value={selected[name] ?? ''} hint={hint} set={(value) => setQuery({ [name]: value.trim() || undefined })} />
        ))}
        <label>
          Stage
          <select name="stage" value={stage} onChange={(event) => setQuery({ stage: event.currentTarget.value })}>
            <option>ResponseComplete</option>
            <option>RequestReceived</option>
            <option>ResponseStarted</option>
            <option>Panic</option>
            <option>any</option>
          </select>
        </label>
        <label class="choice">
          <input type="checkbox" name="live" checked={live} disabled={!!selected['until']} onChange={(event) => setQuery({ live: event.currentTarget.checked ? '1' : undefined })} /> Follow new
          events
        </label>
      </div>
      {error !== undefined && <ErrorBox error={error} />}
      <TimeLine events={events} />
      <div class="scroll" tabIndex={0} role="region" aria-label="Events">
        <table class="small events">
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col">User</th>
              <th scope="col">Verb</th>
              <th scope="col">Object</th>
              <th scope="col">Outcome</th>
              <th scope="col">From</th>
            </tr>
          </thead>
          <tbody>
            {events.map((event) => (
              <tr key={event.metadata.name}>
                <td>{shortTime(event.stageTimestamp)}</td>
                <td class="who">
                  {event.user.username}
                  {event.impersonatedUser && ` as ${event.impersonatedUser.username}`}
                </td>
                <td>{event.verb}</td>
                <td class="object">
                  <Target event={event} catalog={catalog} />
                </td>
                <td class={(event.responseStatus?.code ?? 0) >= 400 ? 'bad' : ''}>
                  {event.responseStatus?.code} {event.responseStatus?.reason}
                </td>
                <td>{event.sourceIPs?.[0]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {!busy && events.length === 0 && error === undefined && <p class="empty">No event matches.</p>}
      {more && (
        <p class="buttons">
          <button type="button" onClick={() => void loadMore()}>
            Older events
          </button>
        </p>
      )}
    </section>
  );
}

/** To the second: microseconds are of no use to people. */
export function shortTime(time: string): string {
  return time.replace('T', ' ').replace(/\.\d+Z/, 'Z');
}

/** Whether the server refused the question itself: to ask again would not help. */
function isFinal(problem: unknown): boolean {
  return problem instanceof ApiError && problem.code >= 400 && problem.code < 500 && problem.code !== 410 && problem.code !== 429;
}

/** Watches until the page leaves or the watch ends. */
async function follow(path: string, signal: AbortSignal, take: (event: AuditEvent) => void): Promise<void> {
  await watch<AuditEvent>(path, { signal }, (event) => {
    if (event.type === 'ERROR') {
      const status = event.object as unknown as Status;
      throw new ApiError(status.code, status.message ?? 'the watch ended', status);
    }
    if (event.type === 'ADDED') {
      take(event.object);
    }
  });
}

/** A link to the object of an event, if its type is served. */
export function Target({ event, catalog }: { event: AuditEvent; catalog: Catalog }) {
  const { resource = '', namespace = '', name = '', apiGroup = '', subresource } = event.objectRef ?? {};
  const type = resource ? catalog.find(apiGroup, resource, event.objectRef?.apiVersion) : undefined;
  const text = [resource + (subresource ? `/${subresource}` : ''), namespace, name].filter(Boolean).join(' ');
  return type && name ? <a href={objectLink(type, namespace, name)}>{text}</a> : <>{text || event.requestURI}</>;
}

const BARS = 60;
const READS = ['get', 'list', 'watch'];

/** How many of the shown events there were when, refused ones apart. */
function TimeLine({ events }: { events: AuditEvent[] }) {
  const bars = useMemo(() => {
    const times = events.map((event) => Date.parse(event.stageTimestamp));
    const from = Math.min(...times);
    const width = Math.max(1, (Math.max(...times) - from + 1) / BARS);
    const made = Array.from({ length: BARS }, (_, place) => ({ from: from + place * width, to: from + (place + 1) * width, read: 0, written: 0, refused: 0 }));
    events.forEach((event, place) => {
      const bar = made[Math.min(BARS - 1, Math.floor((times[place]! - from) / width))]!;
      bar[(event.responseStatus?.code ?? 0) >= 400 ? 'refused' : READS.includes(event.verb) ? 'read' : 'written']++;
    });
    return made;
  }, [events]);
  if (events.length === 0) {
    return null;
  }
  const most = Math.max(...bars.map((bar) => bar.read + bar.written + bar.refused));
  const height = (count: number) => (count / most) * 60;
  const first = bars.findIndex((bar) => bar.read + bar.written + bar.refused > 0);
  const zoom = (bar: { from: number; to: number }) => setQuery({ since: new Date(bar.from).toISOString(), until: new Date(bar.to).toISOString(), live: undefined });
  return (
    <figure class="timeline">
      <svg
        viewBox={`0 0 ${BARS * 10} 62`}
        preserveAspectRatio="none"
        role="group"
        aria-label={`${events.length} events over time; a bar shows its time only`}
        onKeyDown={(event) => moveFocus(event, [...event.currentTarget.querySelectorAll<SVGGElement>('g[role]')])}
      >
        {bars.map((bar, place) => {
          const counts = `${new Date(bar.from).toISOString()}: ${bar.read} reads, ${bar.written} writes, ${bar.refused} refused`;
          const some = bar.read + bar.written + bar.refused > 0;
          const parts = [
            ['read', bar.read],
            ['written', bar.written],
            ['refused', bar.refused],
          ] as const;
          let below = 62;
          return (
            <g
              key={place}
              onClick={() => zoom(bar)}
              onKeyDown={(event) => (event.key === 'Enter' || event.key === ' ') && (event.preventDefault(), zoom(bar))}
              {...(some ? { role: 'button' as const, tabindex: place === first ? 0 : -1, 'aria-label': counts } : {})}
            >
              <title>{counts}</title>
              <rect class="whole" x={place * 10} y={0} width={10} height={62} />
              {parts.map(([name, count]) => {
                below -= height(count);
                return <rect key={name} class={name} x={place * 10 + 1} y={below} width={8} height={height(count)} />;
              })}
            </g>
          );
        })}
      </svg>
      <figcaption class="hint">
        {new Date(bars[0]!.from).toISOString().slice(0, 19).replace('T', ' ')} to {new Date(bars[BARS - 1]!.to).toISOString().slice(0, 19).replace('T', ' ')} UTC:{' '}
        <span class="key read">reads</span> <span class="key written">writes</span> <span class="key refused">refused</span>
      </figcaption>
    </figure>
  );
}
