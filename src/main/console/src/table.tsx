import type { TargetedKeyboardEvent } from 'preact';
import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import { isAbort, pathOf } from './api';
import { TableFeed, type FeedState, type Row } from './feed';
import { ErrorBox } from './parts';
import { rangeOf, type Range } from './revisions';
import { createLink, objectLink, setQuery, tableLink } from './router';
import { RowView, age, text, type Order } from './rows';
import type { ColumnDefinition, Resource } from './types';

/** The height of a row in pixels, the same as in console.css. */
const ROW = 30;
/** Rows above and below those that are seen. */
const MARGIN = 12;
/** The least time between two drawings of a table that changes, in milliseconds. */
const PAUSE = 100;
/** Characters that a column reserves room for; longer texts end with an ellipsis. */
const WIDEST = 40;
/** The average width of a character, in the width of a digit. */
const LETTER = 0.85;
/** How long a hidden page keeps its watch, in milliseconds. */
const HIDDEN = 60_000;

/** The live table of a type. */
export function TableView({ type, namespace, search }: { type: Resource; namespace: string; search: URLSearchParams }) {
  const labels = search.get('labels') ?? '';
  const fields = search.get('fields') ?? '';
  const at = search.get('at') ?? '';
  const feed = useFeed(type, namespace, labels, fields, at);
  return (
    <section class="table-view" aria-labelledby="title">
      <header class="bar">
        <h1 id="title">{type.kind}</h1>
        <span class="group">{type.group ? `${type.group}/${type.version}` : type.version}</span>
        <State state={feed.state} />
        <span class="actions">
          <Choice type={type} namespace={namespace} feed={feed} search={search} />
          {type.verbs.includes('watch') && !at && (
            <button type="button" onClick={() => setQuery({ at: 'newest' })}>
              Look back
            </button>
          )}
          {type.verbs.includes('create') && <a class="button" href={createLink(type, namespace)}>Create</a>}
        </span>
      </header>
      {at && <TimeBar key={pathOf(type, namespace)} path={pathOf(type, namespace)} at={at} feed={feed} />}
      <Filters search={search} />
      {feed.state.phase === 'failed' ? (
        <ErrorBox error={feed.state.error} />
      ) : (
        <Rows type={type} namespace={namespace} feed={feed} filter={search.get('q') ?? ''} sorted={search.get('sort') ?? ''} chosen={search.get('columns') ?? ''} at={at} />
      )}
    </section>
  );
}

/** How long the newest table took to filter and sort, in milliseconds. */
const lastDraw = { current: 0 };

/** Follows a type while the view is shown, and at most a minute while the page is hidden. */
function useFeed(type: Resource, namespace: string, labels: string, fields: string, at: string): TableFeed {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const feed = useMemo(() => {
    let pending = false;
    // a table that takes long to draw is drawn less often: the page stays responsive
    const pause = () => (made.version <= 1 ? 0 : Math.max(PAUSE, 4 * lastDraw.current));
    const made: TableFeed = new TableFeed(
      pathOf(type, namespace),
      { labelSelector: labels, fieldSelector: fields },
      type.verbs.includes('watch'),
      at === 'newest' ? '' : at,
      () => {
        if (!pending) {
          pending = true;
          setTimeout(
            () => {
              pending = false;
              redraw(0);
            },
            pause(),
          );
        }
      },
    );
    return made;
  }, [type, namespace, labels, fields, at]);
  useEffect(() => {
    let timer: number | undefined;
    const visibility = () => {
      clearTimeout(timer);
      if (document.hidden) {
        timer = window.setTimeout(() => feed.stop(), HIDDEN);
      } else {
        feed.start();
      }
    };
    feed.start();
    document.addEventListener('visibilitychange', visibility);
    return () => {
      document.removeEventListener('visibilitychange', visibility);
      clearTimeout(timer);
      feed.stop();
    };
  }, [feed]);
  return feed;
}

function State({ state }: { state: FeedState }) {
  const words =
    state.phase === 'loading'
      ? state.expected > state.loaded
        ? `${state.loaded.toLocaleString('en')} of ${state.expected.toLocaleString('en')}`
        : 'loading'
      : state.phase === 'past'
        ? 'as it was'
        : state.phase === 'waiting'
        ? `connecting again: ${state.reason}`
        : state.phase;
  return (
    <span class={`state ${state.phase}`} role="status" data-state={state.phase}>
      {words}
    </span>
  );
}

function Filters({ search }: { search: URLSearchParams }) {
  return (
    <div class="filters">
      <Input label="Filter" name="q" value={search.get('q') ?? ''} hint="words in a name, a cell or a label" live />
      <Input label="Labels" name="labels" value={search.get('labels') ?? ''} hint="app=web,tier!=db" />
      <Input label="Fields" name="fields" value={search.get('fields') ?? ''} hint="status.phase=Running" />
    </div>
  );
}

/** A filter; one that the server applies takes effect with Enter or when it is left. */
function Input({ label, name, value, hint, live }: { label: string; name: string; value: string; hint: string; live?: boolean }) {
  const set = (event: Event) => setQuery({ [name]: (event.target as HTMLInputElement).value.trim() });
  return (
    <label>
      {label}
      <input type="search" name={name} defaultValue={value} placeholder={hint} spellcheck={false} autocomplete="off" {...(live ? { onInput: set } : { onChange: set })} />
    </label>
  );
}

interface Column {
  id: string;
  title: string;
  description: string;
  order: Order['column'];
  number: boolean;
  cell: (row: Row, now: number) => string;
  /** The least width in CSS, so that columns stay where they are while other rows are shown. */
  width: string;
}

/** The columns that are shown: those that are chosen, else those that kubectl shows without -o wide. */
function columnsOf(definitions: ColumnDefinition[], namespaces: boolean, chosen: string, lengths: number[] = []): Column[] {
  const wanted = chosen ? chosen.split(',') : [];
  const shown: Column[] = [];
  if (namespaces) {
    shown.push({
      id: 'namespace',
      title: 'Namespace',
      description: 'The namespace of the object.',
      order: 'namespace',
      number: false,
      cell: (row) => row.metadata.namespace ?? '',
      width: '',
    });
  }
  definitions.forEach((definition, place) => {
    if (wanted.length ? wanted.includes(definition.name) || definition.name === 'Name' : definition.priority === 0) {
      shown.push({
        id: definition.name,
        title: definition.name,
        description: definition.description ?? '',
        order: place,
        number: definition.type === 'integer' || definition.type === 'number',
        // the server's age is that of the time when it made the row
        cell:
          definition.name === 'Age'
            ? (row, now) => age(row.metadata.creationTimestamp, now)
            : (row) => text(row.cells[place]),
        width: `calc(${Math.round(Math.min(lengths[place] ?? 0, WIDEST) * LETTER)}ch + 1.2rem)`,
      });
    }
  });
  return shown;
}

/** Which columns are shown; in the address, so that a link shows the same. */
function Choice({ type, namespace, feed, search }: { type: Resource; namespace: string; feed: TableFeed; search: URLSearchParams }) {
  const chosen = search.get('columns') ?? '';
  const shown = columnsOf(feed.columns, type.namespaced && !namespace, chosen).map((column) => column.id);
  const toggle = (name: string) => {
    const next = feed.columns.map((each) => each.name).filter((each) => (each === name ? !shown.includes(each) : shown.includes(each)));
    const usual = feed.columns.filter((each) => each.priority === 0).map((each) => each.name);
    setQuery({ columns: next.join() === usual.join() ? undefined : next.join() });
  };
  return (
    <details class="choice-of-columns" onKeyDown={closeByEscape}>
      <summary>Columns</summary>
      <ul>
        {feed.columns.map((each) => (
          <li key={each.name}>
            <label class="choice" title={each.description}>
              <input type="checkbox" checked={shown.includes(each.name)} disabled={each.name === 'Name'} onChange={() => toggle(each.name)} /> {each.name}
            </label>
          </li>
        ))}
      </ul>
    </details>
  );
}

function closeByEscape(event: TargetedKeyboardEvent<HTMLDetailsElement>) {
  if (event.key === 'Escape') {
    event.currentTarget.open = false;
    event.currentTarget.querySelector('summary')?.focus();
  }
}

/** Moves the whole table back in time, from revision to revision of the store. */
function TimeBar({ path, at, feed }: { path: string; at: string; feed: TableFeed }) {
  const [range, setRange] = useState<Range>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    const stop = new AbortController();
    rangeOf(path, stop.signal).then(setRange, (problem) => isAbort(problem) || setError(problem));
    return () => stop.abort();
  }, [path]);
  const place = at === 'newest' ? (range?.newest ?? 0) : Number(at);
  const [dragged, setDragged] = useState<number>();
  const show = (revision: number) => {
    setDragged(undefined);
    setQuery({ at: range && revision >= range.newest ? 'newest' : String(revision) });
  };
  if (error !== undefined) {
    return <ErrorBox error={error} />;
  }
  return (
    <div class="slider">
      <label>
        {range ? `Revision ${(dragged ?? place).toLocaleString('en')}` : 'Looking for the oldest revision'}
        {feed.newestWrite && `, newest write ${feed.newestWrite.replace('T', ' ')}`}
        <input
          type="range"
          name="at"
          min={range?.oldest ?? 0}
          max={range?.newest ?? 1}
          value={dragged ?? place}
          disabled={!range}
          onInput={(event) => setDragged(Number(event.currentTarget.value))}
          onChange={(event) => show(Number(event.currentTarget.value))}
        />
      </label>
      <div class="buttons">
        <button type="button" disabled={!range || place <= range.oldest} onClick={() => show(place - 1)}>
          Earlier
        </button>
        <button type="button" disabled={!range || place >= range.newest} onClick={() => show(place + 1)}>
          Later
        </button>
        <button type="button" onClick={() => setQuery({ at: undefined })}>
          Now
        </button>
        {range && <span class="hint">revisions {range.oldest.toLocaleString('en')} to {range.newest.toLocaleString('en')} of the store can be read</span>}
      </div>
    </div>
  );
}

function orderOf(sorted: string, columns: Column[]): Order {
  const descending = sorted.startsWith('-');
  const id = descending ? sorted.slice(1) : sorted;
  const column = columns.find((each) => each.id === id);
  return { column: column ? column.order : 'namespace', descending };
}

function Rows(props: { type: Resource; namespace: string; feed: TableFeed; filter: string; sorted: string; chosen: string; at: string }) {
  const { type, namespace, feed, filter, sorted, chosen, at } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    const observer = new ResizeObserver(() => setHeight(scroller.current?.clientHeight ?? 600));
    observer.observe(scroller.current!);
    return () => {
      clearInterval(timer);
      observer.disconnect();
    };
  }, []);
  const columns = columnsOf(feed.columns, type.namespaced && !namespace, chosen, feed.lengths);
  const rows = useRows(feed, filter, orderOf(sorted, columns));
  // fewer rows than before: the space above them would keep the scroller where no row is
  const visibleTop = Math.min(top, Math.max(0, rows.length * ROW - height));
  const first = Math.max(0, Math.floor(visibleTop / ROW) - MARGIN);
  const shown = rows.slice(first, Math.ceil((visibleTop + height) / ROW) + MARGIN);
  // where the server has no column for the name, as for Events, the first column leads to the object
  const linked = columns.some((column) => column.id === 'Name') ? 'Name' : columns.find((column) => column.id !== 'namespace')?.id;
  const complete = feed.state.phase === 'live' || feed.state.phase === 'past';
  const toggle = (column: Column) => setQuery({ sort: sorted === column.id ? `-${column.id}` : column.id });
  return (
    <>
      <div class="rows" ref={scroller} tabIndex={0} onScroll={(event) => setTop(Math.floor(event.currentTarget.scrollTop / ROW) * ROW)} aria-label={`${type.kind} objects`} role="region">
        <table aria-rowcount={rows.length + 1}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th
                  key={column.id}
                  scope="col"
                  class={column.number ? 'number' : ''}
                  title={column.description}
                  style={{ minWidth: column.width }}
                  aria-sort={sorted === column.id ? 'ascending' : sorted === `-${column.id}` ? 'descending' : 'none'}
                >
                  <button type="button" onClick={() => toggle(column)}>
                    {column.title}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {first > 0 && <Space rows={first} width={columns.length} />}
            {shown.map((row, place) => (
              <tr key={row.key} aria-rowindex={first + place + 2} class={row.metadata.deletionTimestamp ? 'deleted' : ''}>
                {columns.map((column) => (
                  <td key={column.id} class={column.number ? 'number' : ''}>
                    <Cell type={type} column={column} row={row} now={now} at={at} linked={column.id === linked} />
                  </td>
                ))}
              </tr>
            ))}
            {first + shown.length < rows.length && <Space rows={rows.length - first - shown.length} width={columns.length} />}
          </tbody>
        </table>
        {rows.length === 0 && complete && <p class="empty">{feed.rows.size ? 'No object matches the filter.' : 'There is none.'}</p>}
      </div>
      <p class="count" role="status">
        {!feed.rows.size && !complete ? '' : rows.length === feed.rows.size ? count(rows.length) : `${count(rows.length)} of ${count(feed.rows.size)}`}
      </p>
    </>
  );
}

function count(objects: number): string {
  return `${objects.toLocaleString('en')} ${objects === 1 ? 'object' : 'objects'}`;
}

/** The sorted and filtered rows; not made again while the user scrolls. */
function useRows(feed: TableFeed, filter: string, order: Order): readonly Row[] {
  const view = useMemo(() => new RowView(feed), [feed]);
  return useMemo(() => {
    const begin = performance.now();
    const rows = view.update(filter, order, feed.columns);
    lastDraw.current = performance.now() - begin;
    return rows;
  }, [view, feed.version, filter, order.column, order.descending]);
}

function Space({ rows, width }: { rows: number; width: number }) {
  return (
    <tr class="space" aria-hidden="true">
      <td colSpan={width} style={{ height: `${rows * ROW}px` }} />
    </tr>
  );
}

function Cell({ type, column, row, now, at, linked }: { type: Resource; column: Column; row: Row; now: number; at: string; linked: boolean }) {
  const shown = column.cell(row, now);
  if (linked) {
    const link = objectLink(type, row.metadata.namespace ?? '', row.metadata.name);
    return (
      <a class="name" href={at ? `${link}?tab=history` : link}>
        {column.id === 'Name' ? row.metadata.name : shown || row.metadata.name}
      </a>
    );
  }
  if (column.id === 'namespace') {
    return <a href={tableLink(type, shown)}>{shown}</a>;
  }
  return <span title={shown}>{shown}</span>;
}
