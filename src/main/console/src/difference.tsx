import { around, diff } from './diff';
import type { Json } from './types';
import { linesOf } from './yaml';

/** What every write changes, and nobody asks about. */
function without(value: Json): Json {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    return value;
  }
  const { metadata, ...rest } = value;
  if (metadata === null || typeof metadata !== 'object' || Array.isArray(metadata)) {
    return value;
  }
  const { managedFields: _fields, resourceVersion: _version, generation: _generation, ...kept } = metadata as Record<string, Json>;
  return { ...('apiVersion' in rest ? { apiVersion: rest['apiVersion']!, kind: rest['kind'] ?? '' } : {}), metadata: kept, ...rest };
}

/** What differs between two states of an object, by lines of their YAML. */
export function Diff({ before, after, same = 'Nothing would change.' }: { before: Json; after: Json; same?: string }) {
  const text = (value: Json) => (value === null ? [] : linesOf(without(value)).map((line) => line.text));
  const lines = diff(text(before), text(after));
  if (lines.every((line) => line.sign === ' ')) {
    return <p class="hint">{same}</p>;
  }
  return (
    <pre class="diff" tabIndex={0} role="region" aria-label="What would change">
      {around(lines, 3).map((line, place) =>
        line === undefined ? (
          <span key={place} class="gap">
            {'⋯\n'}
          </span>
        ) : (
          <span key={place} class={line.sign === '+' ? 'added' : line.sign === '-' ? 'removed' : ''}>
            {`${line.sign} ${line.text}\n`}
          </span>
        ),
      )}
    </pre>
  );
}
