import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ErrorBox } from './parts';

/** A part of the page that is loaded when it is first shown. */
export function Lazy<P extends object>({ load, props }: { load: () => Promise<ComponentType<P>>; props: P }) {
  const [part, setPart] = useState<{ Part: ComponentType<P> }>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    load().then((Part) => setPart({ Part }), setError);
  }, []);
  if (error !== undefined) {
    return <ErrorBox error={error} />;
  }
  return part ? <part.Part {...props} /> : <p class="loading">Loading…</p>;
}
