import assert from 'node:assert/strict';
import test from 'node:test';

globalThis.sessionStorage = { getItem: () => null };
globalThis.location = new URL('https://server/console/');
// Node's own would wait for messages for ever
globalThis.BroadcastChannel = class {};
const { treeOf } = await import('../src/relations');

const owned = (uid, ...owners) => ({ type: { kind: 'Pod' }, metadata: { uid, name: uid, ownerReferences: owners.map((each) => ({ uid: each })) }, below: [] });
const shape = (found) => found.map(({ metadata, below }) => (below.length ? [metadata.uid, shape(below)] : metadata.uid));

test('what is owned by what is owned is below it', () => {
  const found = treeOf([owned('pod-1', 'set'), owned('set', 'deployment'), owned('pod-2', 'set'), owned('other', 'elsewhere')], 'deployment');

  assert.deepEqual(shape(found), [['set', ['pod-1', 'pod-2']]]);
});

test('an object of several owners, and a circle, are shown once', () => {
  const found = treeOf([owned('a', 'root', 'b'), owned('b', 'a'), owned('root', 'b')], 'root');

  assert.deepEqual(shape(found), [['a', ['b']]]);
});
