import { ApiError, TABLE, get, isAbort, messageOf, query, watch } from './api';
import type { ColumnDefinition, Json, ListMeta, ObjectMeta, Table, TableRow } from './types';

/** An object as the table shows it. */
export interface Row {
  key: string;
  cells: Json[];
  metadata: RowMeta;
}

/** What a table shows of an object; the rest of 50,000 objects would fill the memory. */
export type RowMeta = Pick<ObjectMeta, 'name' | 'namespace' | 'labels' | 'creationTimestamp' | 'deletionTimestamp'>;

/** Rows that have gone and come since the last look; a row that has changed is among both. */
export type Changes = 'all' | { gone: ReadonlySet<Row>; come: ReadonlySet<Row> };

export type FeedState =
  | { phase: 'loading'; loaded: number; expected: number }
  | { phase: 'live' }
  | { phase: 'past' }
  | { phase: 'waiting'; reason: string }
  | { phase: 'failed'; error: unknown };

/** Rows that one request for a list asks for. */
const CHUNK = 1000;
/** Rows of the first request: what is seen at once is shown at once. */
const FIRST_CHUNK = 200;
/** Watches end by themselves after about so many seconds, and begin again where they ended. */
const WATCH_SECONDS = 600;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 30_000;

/**
 * The rows of one type: a list in chunks of one revision, then one watch from that revision, both as
 * Tables that the server makes. The watch begins again where it ended; when the server no longer
 * has the revision (410), the list is read again, and rows stay until the new ones are there.
 */
export class TableFeed {
  readonly rows = new Map<string, Row>();
  columns: ColumnDefinition[] = [];
  state: FeedState = { phase: 'loading', loaded: 0, expected: 0 };
  /** When the whole list was last read; with {@link watched}, for tests and the curious. */
  lists = 0;
  watches = 0;
  /** Raised with each change of the rows. */
  version = 0;
  /** The length of the longest text in each column: its width stays the same while the rows change. */
  readonly lengths: number[] = [];
  /** When the newest write of a listed object was, as its managers say; empty if none says. */
  newestWrite = '';

  private readonly path: string;
  private readonly selectors: Record<string, string | undefined>;
  private readonly watchable: boolean;
  private readonly at: string;
  private readonly changed: () => void;
  private controller: AbortController | undefined;
  private revision = '';
  private wait = FIRST_WAIT;
  private all = true;
  private gone = new Set<Row>();
  private come = new Set<Row>();

  /**
   * @param at the revision to read, which is then not followed; empty for the newest
   * @param changed runs after every change of rows, columns or state
   */
  constructor(path: string, selectors: Record<string, string | undefined>, watchable: boolean, at: string, changed: () => void) {
    this.path = path;
    this.selectors = selectors;
    this.watchable = watchable;
    this.at = at;
    this.changed = changed;
  }

  /** Begins, or continues where {@link stop} left off. */
  start(): void {
    if (!this.controller) {
      this.controller = new AbortController();
      void this.run(this.controller.signal);
    }
  }

  /** Ends the requests and keeps the rows. */
  stop(): void {
    this.controller?.abort();
    this.controller = undefined;
  }

  /** What has changed since this was called last, for the one view of these rows. */
  takeChanges(): Changes {
    const changes = this.all ? 'all' : { gone: this.gone, come: this.come };
    this.all = false;
    this.gone = new Set();
    this.come = new Set();
    return changes;
  }

  private put(row: Row): void {
    this.forget(row.key);
    this.rows.set(row.key, row);
    this.come.add(row);
    row.cells.forEach((cell, place) => {
      const length = typeof cell === 'string' ? cell.length : 0;
      if (length > (this.lengths[place] ?? 0)) {
        this.lengths[place] = length;
      }
    });
  }

  private drop(key: string): void {
    this.forget(key);
    this.rows.delete(key);
  }

  /** Notes that a row goes; one that the view has not seen leaves no trace. */
  private forget(key: string): void {
    const row = this.rows.get(key);
    if (row && !this.come.delete(row)) {
      this.gone.add(row);
    }
  }

  private async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        if (!this.revision) {
          await this.list(signal);
        }
        if (this.at || !this.watchable) {
          this.set({ phase: this.at ? 'past' : 'live' });
          return;
        }
        await this.follow(signal);
        this.wait = FIRST_WAIT;
      } catch (error) {
        if (signal.aborted || isAbort(error)) {
          return;
        }
        if (error instanceof ApiError && error.code === 410 && !this.at) {
          this.revision = '';
          continue;
        }
        if (error instanceof ApiError && error.code >= 400 && error.code < 500 && error.code !== 429) {
          this.set({ phase: 'failed', error });
          return;
        }
        this.set({ phase: 'waiting', reason: messageOf(error) });
        await pause(this.wait, signal);
        this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
      }
    }
  }

  private async list(signal: AbortSignal): Promise<void> {
    this.lists++;
    const fresh: Row[] = [];
    let loaded = 0;
    let meta: ListMeta = {};
    do {
      const chunk = await get<Table>(
        this.path + query({
            ...this.selectors,
            limit: String(meta.continue ? CHUNK : FIRST_CHUNK),
            continue: meta.continue,
            // the token of a later chunk names the revision itself
            ...(this.at && !meta.continue ? { resourceVersion: this.at, resourceVersionMatch: 'Exact' } : {}),
          }),
        { accept: TABLE, signal },
      );
      this.columns = chunk.columnDefinitions ?? this.columns;
      meta = chunk.metadata;
      for (const row of chunk.rows ?? []) {
        this.noteTime(row);
        const made = toRow(row);
        if (this.lists === 1) {
          this.put(made);
        } else {
          fresh.push(made);
        }
        loaded++;
      }
      this.set({ phase: 'loading', loaded, expected: loaded + (meta.remainingItemCount ?? 0) });
    } while (meta.continue);
    if (this.lists > 1) {
      this.rows.clear();
      fresh.forEach((row) => this.put(row));
      this.all = true;
    }
    this.revision = meta.resourceVersion ?? '';
  }

  private async follow(signal: AbortSignal): Promise<void> {
    this.watches++;
    const path =
      this.path +
      query({
        ...this.selectors,
        watch: '1',
        allowWatchBookmarks: 'true',
        resourceVersion: this.revision,
        timeoutSeconds: String(WATCH_SECONDS),
      });
    this.set({ phase: 'live' });
    await watch<Table>(path, { accept: TABLE, signal }, (event) => {
      if (event.type === 'ERROR') {
        const status = event.object as unknown as { code: number; message?: string };
        throw new ApiError(status.code, status.message ?? 'the watch ended');
      }
      for (const row of event.object.rows ?? []) {
        this.revision = row.object.metadata.resourceVersion || this.revision;
        const made = toRow(row);
        if (event.type === 'DELETED') {
          this.drop(made.key);
        } else if (event.type !== 'BOOKMARK') {
          this.put(made);
        }
      }
      if (event.type === 'BOOKMARK') {
        this.revision = event.object.metadata?.resourceVersion || this.revision;
      } else {
        this.version++;
        this.changed();
      }
    });
  }

  private noteTime(row: TableRow): void {
    for (const { time = '' } of row.object.metadata.managedFields ?? []) {
      if (time > this.newestWrite) {
        this.newestWrite = time;
      }
    }
  }

  private set(state: FeedState): void {
    this.state = state;
    this.version++;
    this.changed();
  }
}

function toRow(row: TableRow): Row {
  const { name, namespace, labels, creationTimestamp, deletionTimestamp } = row.object.metadata;
  const metadata: RowMeta = { name };
  // absent ones stay absent: rows of one shape take the least memory
  if (namespace) metadata.namespace = namespace;
  if (labels) metadata.labels = labels;
  if (creationTimestamp) metadata.creationTimestamp = creationTimestamp;
  if (deletionTimestamp) metadata.deletionTimestamp = deletionTimestamp;
  return { key: `${namespace ?? ''}/${name}`, cells: row.cells, metadata };
}

export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
