import assert from 'node:assert/strict';
import test from 'node:test';
import { parse } from 'yaml';
import { around, diff } from '../src/diff';
import { isPlain, visible } from '../src/text';
import { toYaml } from '../src/yaml';

test('characters that deceive are shown as escapes, others as they are', () => {
  assert.equal(visible('gnp.\u202etxt'), 'gnp.\\u202etxt');
  assert.equal(visible('ad\u200bmin \u{e0041}'), 'ad\\u200bmin \\udb40\\udc41');
  assert.equal(visible('Grüße 世界 🚢\n\t'), 'Grüße 世界 🚢\n\t');
  assert.ok(isPlain('Grüße') && !isPlain('a\u2066b'));
});

test('YAML of any value is read back as it was', () => {
  const value = {
    plain: 'web', number: '12', bool: 'yes', date: '2026-01-01', empty: '', space: ' a ', lines: 'a\nb\n', colon: 'a: b', hash: 'a #b',
    dash: '- a', quote: '"\'', turned: 'a\u202eb', tag: 'a\u{e0041}b', nil: null, list: [1, [2, {}], { a: [] }], '? key': { 'on': true },
  };

  assert.deepEqual(parse(toYaml(value)), value);
});

test('a difference has every line of both texts, in order', () => {
  const before = 'a b c a b b a'.split(' ');
  const after = 'c b a b a c'.split(' ');

  const lines = diff(before, after);

  assert.deepEqual(lines.filter((line) => line.sign !== '+').map((line) => line.text), before);
  assert.deepEqual(lines.filter((line) => line.sign !== '-').map((line) => line.text), after);
  assert.equal(lines.filter((line) => line.sign !== ' ').length, 5);
});

test('lines far from a change are left out', () => {
  const before = Array.from({ length: 20 }, (_, i) => `${i}`);
  const after = before.map((line) => (line === '10' ? 'ten' : line));

  const shown = around(diff(before, after), 1);

  assert.deepEqual(shown.map((line) => line && line.sign + line.text), [undefined, ' 9', '-10', '+ten', ' 11', undefined]);
});
