import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { parse } from 'yaml';
import { isRecord, pathOf, query } from './api';
import { CodeMirror, useUnsaved, type View } from './editor';
import { Review, type Write } from './review';
import { go, objectLink } from './router';
import { TypeSchema } from './schema';
import { templateOf } from './templates';
import type { Json, KubeObject, Resource } from './types';
import { toYaml } from './yaml';

/** Creates an object from a template: a picked one, else the smallest that has every required field. */
export function CreateView({ type, namespace }: { type: Resource; namespace: string }) {
  const schema = useMemo(() => TypeSchema.read(type), [type]);
  const [text, setText] = useState<string>();
  const [write, setWrite] = useState<Write>();
  const [problem, setProblem] = useState('');
  const view: View = useRef(undefined);
  const saved = useUnsaved(view);
  useEffect(() => {
    const begin = (known: TypeSchema | undefined) => setText(toYaml(templateOf(type, namespace, known)));
    schema.then(begin, () => begin(undefined));
  }, [schema]);
  const review = () => {
    setProblem('');
    try {
      const made = parse(view.current!.state.doc.toString(), { maxAliasCount: 100 }) as Json;
      if (!isRecord(made)) {
        throw new Error('The text is no object.');
      }
      const metadata = isRecord(made['metadata']) ? made['metadata'] : {};
      const within = typeof metadata['namespace'] === 'string' ? metadata['namespace'] : namespace || 'default';
      const path = pathOf(type, type.namespaced ? within : '') + query({ fieldManager: 'keelson-console', fieldValidation: 'Strict' });
      setWrite({ path, call: { method: 'POST', body: JSON.stringify(made) }, verb: 'Create' });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  const done = (result: Json) => {
    const { metadata } = result as unknown as KubeObject;
    saved();
    go(metadata?.name ? objectLink(type, metadata.namespace ?? '', metadata.name) : '/console/');
  };
  return (
    <section class="create" aria-labelledby="title">
      <header class="bar">
        <h1 id="title">Create {type.kind}</h1>
        <span class="group">{type.group ? `${type.group}/${type.version}` : type.version}</span>
      </header>
      {problem && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
      {text === undefined ? (
        <p class="loading">Loading…</p>
      ) : (
        <div hidden={write !== undefined}>
          <CodeMirror text={text} view={view} schema={schema} />
          <p class="buttons">
            <button type="button" class="primary" onClick={review}>
              Review
            </button>
          </p>
        </div>
      )}
      {write && <Review write={write} done={done} cancel={() => setWrite(undefined)} />}
    </section>
  );
}
