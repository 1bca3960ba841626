import { useEffect, useState } from 'preact/hooks';
import { ApiError, fieldValue, get, isAbort, messageOf, pathOf, query, watch } from './api';
import { pause } from './feed';
import { Pane } from './parts';
import { age } from './rows';
import type { KubeObject, List, Resource } from './types';

interface Event extends KubeObject {
  type: string;
  reason: string;
  message: string;
  count?: number;
  series?: { count?: number; lastObservedTime?: string };
  lastTimestamp?: string;
  eventTime?: string;
  involvedObject?: { uid?: string; apiVersion?: string };
}

/** Events that are read: more are of no use to people, and the newest cannot be asked for. */
const MOST = 500;
const EVENTS = { group: '', version: 'v1', resource: 'events' };

/**
 * The events about an object, and apart from them those about earlier objects of its kind and name: of a Pod of
 * a StatefulSet, for example, these say why it was replaced. kubectl describe shows the first alone.
 */
export function Events({ type, object }: { type: Resource; object: KubeObject }) {
  const { uid, name, namespace } = object.metadata;
  const { events, error } = useEvents(object.kind || type.kind, namespace ?? 'default', name);
  const about = events?.filter((event) => isOfGroup(event, type)).sort((a, b) => timeOf(b).localeCompare(timeOf(a)));
  const own = about?.filter((event) => isAbout(event, uid, name));
  const earlier = about?.filter((event) => !isAbout(event, uid, name));
  return (
    <Pane title="Events">
      {error !== undefined && <p class="hint">{messageOf(error)}</p>}
      {own?.length === 0 && <p class="hint">There is none.</p>}
      {!!own?.length && <EventTable events={own} />}
      {!!earlier?.length && (
        <details class="earlier">
          <summary>
            {earlier.length} of {earlier.length === 1 ? 'an' : ''} earlier {type.kind} of this name
          </summary>
          <EventTable events={earlier} />
        </details>
      )}
    </Pane>
  );
}

function EventTable({ events }: { events: Event[] }) {
  const times = (event: Event) => event.series?.count ?? event.count ?? 1;
  return (
    <table class="small">
      <tbody>
        {events.map((event) => (
          <tr key={event.metadata.uid}>
            <td>{age(timeOf(event), Date.now())}</td>
            <td class={event.type === 'Warning' ? 'reason bad' : 'reason'}>{event.reason}</td>
            <td>
              {event.message}
              {times(event) > 1 && ` (${times(event)} times)`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function timeOf(event: Event): string {
  return event.series?.lastObservedTime ?? event.lastTimestamp ?? event.eventTime ?? event.metadata.creationTimestamp ?? '';
}

/** Types of several groups can have one kind. */
function isOfGroup(event: Event, type: Resource): boolean {
  const version = event.involvedObject?.apiVersion;
  return !version || (version.includes('/') ? version.split('/')[0] : '') === type.group;
}

/** Whether an event is about this very object; the kubelet gives a node's name as its UID. */
function isAbout(event: Event, uid: string, name: string): boolean {
  const about = event.involvedObject?.uid;
  return !about || about === uid || about === name;
}

/** Reads the events of a kind and name, then watches them; after an end of the watch they are read again. */
function useEvents(kind: string, namespace: string, name: string): { events?: Event[]; error?: unknown } {
  const [seen, setSeen] = useState<{ events?: Event[]; error?: unknown }>({});
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const path = pathOf(EVENTS, namespace);
    const fieldSelector = `involvedObject.kind=${fieldValue(kind)},involvedObject.name=${fieldValue(name)}`;
    const follow = async () => {
      const list = await get<List<Event>>(path + query({ fieldSelector, limit: String(MOST) }), { signal });
      const events = new Map(list.items.map((event) => [event.metadata.uid, event]));
      setSeen({ events: [...events.values()] });
      await watch<Event>(path + query({ fieldSelector, watch: '1', resourceVersion: list.metadata.resourceVersion }), { signal }, ({ type, object }) => {
        if (type === 'ERROR') {
          throw new ApiError(410, 'the watch ended');
        }
        if (type === 'DELETED') {
          events.delete(object.metadata.uid);
        } else {
          events.set(object.metadata.uid, object);
        }
        setSeen({ events: [...events.values()] });
      });
    };
    const run = async () => {
      for (let wait = 500; !signal.aborted; wait = Math.min(wait * 2, 30_000)) {
        try {
          await follow();
          wait = 500;
        } catch (error) {
          if (isAbort(error)) {
            return;
          }
          if (error instanceof ApiError && error.code === 403) {
            // whoever may list events may lack the right to watch them
            setSeen((known) => (known.events ? known : { error }));
            return;
          }
          setSeen((known) => (known.events ? known : { error }));
        }
        await pause(wait, signal);
      }
    };
    void run();
    return () => stop.abort();
  }, [kind, namespace, name]);
  return seen;
}
