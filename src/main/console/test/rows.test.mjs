import assert from 'node:assert/strict';
import test from 'node:test';
import { RowView, age } from '../src/rows';

const COLUMNS = ['Name', 'Status', 'Restarts', 'Age'].map((name) => ({ name, type: 'string', priority: 0 }));

/** A feed as the view sees it, changed by hand. */
class Rows {
  rows = new Map();
  gone = new Set();
  come = new Set();

  put(row) {
    this.#forget(row.key);
    this.rows.set(row.key, row);
    this.come.add(row);
  }

  drop(key) {
    this.#forget(key);
    this.rows.delete(key);
  }

  #forget(key) {
    const row = this.rows.get(key);
    if (row && !this.come.delete(row)) {
      this.gone.add(row);
    }
  }

  takeChanges() {
    const { gone, come } = this;
    this.gone = new Set();
    this.come = new Set();
    return { gone, come };
  }
}

function row(number, status, restarts) {
  const name = `pod-${number}`;
  return { key: `ns/${name}`, cells: [name, status, restarts, '1s'], metadata: { name, namespace: 'ns', creationTimestamp: `2026-01-01T00:00:${10 + (number % 40)}Z` } };
}

/** A generator of the same numbers in every run (mulberry32). */
function random(seed) {
  return (below) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const names = (rows) => rows.map((each) => each.metadata.name);

test('a view that follows changes shows what a new view shows', () => {
  const next = random(16);
  const statuses = ['Running', 'Pending', 'Failed', 'running'];
  const filters = ['', 'p', 'po', 'pod-1', 'pod-12', 'run', 'pod-1 run', 'absent'];
  const columns = ['namespace', 0, 1, 2, 3];
  const feed = new Rows();
  const view = new RowView(feed);
  let filter = '';
  let order = { column: 'namespace', descending: false };
  for (let round = 0; round < 400; round++) {
    for (let change = next(40); change > 0; change--) {
      const number = next(300);
      if (next(3) === 0) {
        feed.drop(`ns/pod-${number}`);
      } else {
        feed.put(row(number, statuses[next(statuses.length)], next(12)));
      }
    }
    if (next(3) === 0) {
      filter = filters[next(filters.length)];
    }
    if (next(3) === 0) {
      order = { column: columns[next(columns.length)], descending: next(2) === 0 };
    }

    const shown = view.update(filter, order, COLUMNS);

    const anew = new RowView({ rows: feed.rows, takeChanges: () => 'all' }).update(filter, order, COLUMNS);
    assert.deepEqual(names(shown), names(anew), `round ${round}, filter "${filter}", order ${JSON.stringify(order)}`);
  }
});

test('numbers in texts are in their own order, equal rows in that of their names', () => {
  const feed = new Rows();
  [row(3, 'a', '10'), row(1, 'a', '9'), row(2, 'a', '10')].forEach((each) => feed.put(each));

  const shown = new RowView(feed).update('', { column: 2, descending: true }, COLUMNS);

  assert.deepEqual(names(shown), ['pod-2', 'pod-3', 'pod-1']);
});

test('every word of a filter is in a cell, the namespace or a label', () => {
  const feed = new Rows();
  const labelled = row(1, 'Running', 0);
  labelled.metadata.labels = { app: 'Web' };
  feed.put(labelled);
  feed.put(row(2, 'Running', 0));
  const view = new RowView(feed);
  const order = { column: 'namespace', descending: false };

  assert.deepEqual(names(view.update('app=web', order, COLUMNS)), ['pod-1']);
  assert.deepEqual(names(view.update('app=web failed', order, COLUMNS)), []);
  assert.deepEqual(names(view.update('RUNNING ns', order, COLUMNS)), ['pod-1', 'pod-2']);
});

test('ages are those of kubectl', () => {
  const begin = '2026-01-01T00:00:00Z';
  const after = (seconds) => age(begin, Date.parse(begin) + seconds * 1000);

  assert.deepEqual([119, 125, 600, 3 * 3600, 3 * 3600 + 60, 47 * 3600, 50 * 3600, 10 * 86400].map(after), ['119s', '2m5s', '10m', '3h', '3h1m', '47h', '2d2h', '10d']);
});
