import { useEffect, useState } from 'preact/hooks';
import { METADATA_LIST, get, isAbort, pathOf, query, send } from './api';
import type { Catalog } from './discovery';
import { Pane } from './parts';
import { tableLink } from './router';
import type { KubeObject, List, Resource } from './types';

/** How often the metrics are read while they are shown, in milliseconds. */
const INTERVAL = 5000;

/** What the server's metrics say. */
interface Sample {
  time: number;
  requests: Map<string, number>;
  inFlight: number;
}

/** Health, the rates of requests, and how many objects there are of each type. */
export function Overview({ catalog }: { catalog: Catalog }) {
  const [samples, allowed] = useMetrics();
  return (
    <section class="overview">
      <h1>Overview</h1>
      <div class="panes">
        <Server />
        <Health />
        {allowed && <Rates samples={samples} />}
      </div>
      <Types catalog={catalog} />
    </section>
  );
}

function Server() {
  const [version, setVersion] = useState<Record<string, string>>();
  useEffect(() => {
    get<Record<string, string>>('/version').then(setVersion, () => setVersion({}));
  }, []);
  return (
    <Pane title="Server">
      <dl>
        <dt>Version</dt>
        <dd>{version?.['gitVersion'] ?? '…'}</dd>
        <dt>Platform</dt>
        <dd>{version?.['platform'] ?? '…'}</dd>
        <dt>Built by</dt>
        <dd>{version?.['compiler'] ?? '…'}</dd>
      </dl>
    </Pane>
  );
}

function Health() {
  const [checks, setChecks] = useState<[string, boolean][]>();
  useEffect(() => {
    const stop = new AbortController();
    const look = () => {
      // a failing check is an answer with 500, whose text is the same
      fetch('/readyz?verbose', { signal: stop.signal, headers: { 'X-Keelson-Console': '1' } })
        .then(async (response) => {
          const lines = (await response.text()).split('\n');
          setChecks(lines.filter((line) => /^\[[+-]\]/.test(line)).map((line) => [line.slice(3).split(' ')[0] ?? '', line.startsWith('[+]')]));
        })
        .catch((error) => isAbort(error) || setChecks([['server', false]]));
    };
    look();
    const timer = setInterval(look, INTERVAL);
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, []);
  const failed = checks?.filter(([, good]) => !good) ?? [];
  return (
    <Pane title="Health">
      {checks && (
        <p class={failed.length ? 'bad' : 'good'} data-health={failed.length ? 'bad' : 'good'}>
          {failed.length ? `${failed.length} of ${checks.length} checks fail` : `All ${checks.length} checks pass`}
        </p>
      )}
      <ul>
        {failed.map(([name]) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </Pane>
  );
}

function Rates({ samples }: { samples: Sample[] }) {
  const last = samples.at(-1);
  const before = samples.at(-2);
  const rates: [string, number][] = [];
  if (last && before) {
    const seconds = (last.time - before.time) / 1000;
    for (const [verb, total] of last.requests) {
      rates.push([verb, Math.max(0, total - (before.requests.get(verb) ?? 0)) / seconds]);
    }
  }
  const active = rates.filter(([, rate]) => rate > 0).sort((a, b) => b[1] - a[1]);
  return (
    <Pane title="Requests per second">
      <dl>
        {active.slice(0, 6).map(([verb, rate]) => (
          <>
            <dt>{verb}</dt>
            <dd>{rate.toFixed(1)}</dd>
          </>
        ))}
        <dt>in flight</dt>
        <dd>{last?.inFlight ?? '…'}</dd>
      </dl>
    </Pane>
  );
}

/** The last two samples, and whether the user may read metrics. */
function useMetrics(): [Sample[], boolean] {
  const [samples, setSamples] = useState<Sample[]>([]);
  const [allowed, setAllowed] = useState(true);
  useEffect(() => {
    const stop = new AbortController();
    const look = async () => {
      if (document.hidden) {
        return;
      }
      try {
        const text = await (await send('/metrics', { accept: 'text/plain', signal: stop.signal })).text();
        setSamples((known) => [...known.slice(-1), sampleOf(text)]);
      } catch (error) {
        if (!isAbort(error)) {
          setAllowed(false);
          clearInterval(timer);
        }
      }
    };
    const timer = setInterval(() => void look(), INTERVAL);
    void look();
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, []);
  return [samples, allowed];
}

const LINE = /^(\w+)(?:\{(.*)\})? (\S+)/;

function sampleOf(text: string): Sample {
  const sample: Sample = { time: Date.now(), requests: new Map(), inFlight: 0 };
  for (const line of text.split('\n')) {
    const [, name, labels = '', value] = LINE.exec(line) ?? [];
    if (name === 'apiserver_request_total') {
      const verb = (/(?:^|,)verb="([^"]*)"/.exec(labels)?.[1] ?? '').toLowerCase();
      sample.requests.set(verb, (sample.requests.get(verb) ?? 0) + Number(value));
    } else if (name === 'apiserver_current_inflight_requests') {
      sample.inFlight += Number(value);
    }
  }
  return sample;
}

/** All types by group, with counts. */
function Types({ catalog }: { catalog: Catalog }) {
  const counts = useCounts(catalog);
  const groups = new Map<string, Resource[]>();
  for (const type of catalog.listed()) {
    groups.set(type.group, [...(groups.get(type.group) ?? []), type]);
  }
  return (
    <div class="groups">
      {[...groups].map(([group, types]) => (
        <Pane key={group} title={group || 'core'}>
          <ul class="counts">
            {types.map((type) => (
              <li key={type.resource}>
                <a href={tableLink(type)}>{type.kind}</a> <span class="number">{counts.get(type)?.toLocaleString('en') ?? ''}</span>
              </li>
            ))}
          </ul>
        </Pane>
      ))}
    </div>
  );
}

/** Counts that are asked for at the same time: the overview is no reason to fill the server's queues. */
const AT_ONCE = 3;

/** How many objects there are of each type: the first of a list says how many follow. */
function useCounts(catalog: Catalog): Map<Resource, number> {
  const [counts, setCounts] = useState(() => new Map<Resource, number>());
  useEffect(() => {
    const stop = new AbortController();
    const left = catalog.listed();
    const count = async () => {
      for (let type = left.shift(); type && !stop.signal.aborted; type = left.shift()) {
        try {
          const list = await get<List<KubeObject>>(pathOf(type) + query({ limit: '1' }), { accept: METADATA_LIST, signal: stop.signal });
          const number = list.items.length + (list.metadata.remainingItemCount ?? 0);
          const counted = type;
          setCounts((known) => new Map(known).set(counted, number));
        } catch {
          // a type that the user may not list has no count
        }
      }
    };
    for (let i = 0; i < AT_ONCE; i++) {
      void count();
    }
    return () => stop.abort();
  }, [catalog]);
  return counts;
}
