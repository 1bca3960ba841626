import assert from 'node:assert/strict';
import test from 'node:test';

// the parts of a browser that the module of requests names when it is loaded
globalThis.sessionStorage = { getItem: () => null };
// Node's own would wait for messages for ever
globalThis.BroadcastChannel = class {};
const { TableFeed } = await import('../src/feed');

const row = (name, version, status = 'Running') => ({ cells: [name, status], object: { metadata: { name, namespace: 'ns', uid: name, resourceVersion: version } } });
const table = (rows, metadata) => ({ metadata, columnDefinitions: [{ name: 'Name', type: 'string', priority: 0 }], rows });

/** A server of one list in chunks and of watches whose events a test sends. */
function server(count, requests) {
  const encoder = new TextEncoder();
  const watches = [];
  globalThis.fetch = async (path, { signal }) => {
    const url = new URL(path, 'https://server');
    requests.push(url.searchParams);
    if (url.searchParams.get('watch')) {
      const stream = new ReadableStream({
        start(controller) {
          watches.push({ send: (event) => controller.enqueue(encoder.encode(JSON.stringify(event) + '\n')), end: () => controller.close() });
          signal.addEventListener('abort', () => controller.error(new DOMException('', 'AbortError')));
        },
      });
      return new Response(stream);
    }
    const from = Number(url.searchParams.get('continue') ?? 0);
    const to = Math.min(count, from + Number(url.searchParams.get('limit')));
    const rows = Array.from({ length: to - from }, (_, i) => row(`pod-${from + i}`, '5'));
    return Response.json(table(rows, { resourceVersion: '9', ...(to < count ? { continue: String(to), remainingItemCount: count - to } : {}) }));
  };
  return watches;
}

/** Waits until something is so, as the feed says that something has changed. */
function follower() {
  let wake = () => {};
  return {
    changed: () => wake(),
    until: async (condition) => {
      while (!condition()) {
        await new Promise((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

test('the first rows come by a small request, the rest in chunks, and then one watch', async () => {
  const requests = [];
  const watches = server(2500, requests);
  const { changed, until } = follower();
  const feed = new TableFeed('/api/v1/namespaces/ns/pods', {}, true, '', changed);
  feed.start();
  await until(() => feed.state.phase === 'live' && watches.length === 1);

  assert.deepEqual(
    requests.map((each) => [each.get('limit'), each.get('watch')]),
    [['200', null], ['1000', null], ['1000', null], ['1000', null], [null, '1']],
  );
  assert.equal(feed.rows.size, 2500);
  assert.equal(feed.takeChanges(), 'all');
  feed.stop();
});

test('a row that changes has gone and come; one that came and went leaves no trace', async () => {
  const watches = server(2, []);
  const { changed, until } = follower();
  const feed = new TableFeed('/api/v1/namespaces/ns/pods', {}, true, '', changed);
  feed.start();
  await until(() => watches.length === 1);
  feed.takeChanges();
  const before = feed.rows.get('ns/pod-1');

  watches[0].send({ type: 'MODIFIED', object: table([row('pod-1', '10', 'Failed')]) });
  watches[0].send({ type: 'ADDED', object: table([row('pod-2', '11')]) });
  watches[0].send({ type: 'DELETED', object: table([row('pod-2', '12')]) });
  watches[0].send({ type: 'ADDED', object: table([row('pod-3', '13')]) });
  await until(() => feed.rows.has('ns/pod-3'));

  const { gone, come } = feed.takeChanges();
  assert.deepEqual([...gone], [before]);
  assert.deepEqual([...come].map((each) => each.metadata.name), ['pod-1', 'pod-3']);
  assert.deepEqual(feed.lengths, [5, 7]);
  feed.stop();
});

test('a watch that ends begins again behind its last event', async () => {
  const requests = [];
  const watches = server(1, requests);
  const { changed, until } = follower();
  const feed = new TableFeed('/api/v1/namespaces/ns/pods', {}, true, '', changed);
  feed.start();
  await until(() => watches.length === 1);

  watches[0].send({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '20' }, rows: [row('', '20')] } });
  watches[0].end();
  await until(() => watches.length === 2);

  assert.equal(requests.at(-1).get('resourceVersion'), '20');
  assert.equal(feed.lists, 1);
  feed.stop();
});

test('a watch whose revision the server has no longer reads the list again', async () => {
  const watches = server(1, []);
  const { changed, until } = follower();
  const feed = new TableFeed('/api/v1/namespaces/ns/pods', {}, true, '', changed);
  feed.start();
  await until(() => watches.length === 1);
  feed.takeChanges();

  watches[0].send({ type: 'ERROR', object: { kind: 'Status', code: 410, message: 'too old' } });
  await until(() => watches.length === 2);

  assert.equal(feed.lists, 2);
  assert.equal(feed.takeChanges(), 'all');
  assert.equal(feed.rows.size, 1);
  feed.stop();
});
