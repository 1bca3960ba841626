package dev.keelson.controller.discovery;

import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.informer.EncodedObject;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.ObjectListener;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.controller.manager.SharedInformers;
import dev.keelson.object.ObjectSink;
import dev.keelson.schema.codec.ObjectWriter;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/**
 * The changes of objects of several kinds, collected from informers until they are taken.
 *
 * @param <K> the kinds
 */
final class InformedObjects<K> {

  private final SharedInformers informers;
  private final Map<K, InformerType<EncodedObject>> types;
  private final Queue<Consumer<ObjectSink<K>>> changes = new ConcurrentLinkedQueue<>();

  /** Not yet following. */
  InformedObjects(SharedInformers informers, Map<K, InformerType<EncodedObject>> types) {
    this.informers = informers;
    this.types = Map.copyOf(types);
  }

  /** The objects of a resource, whole. */
  static InformerType<EncodedObject> type(GroupVersionResource resource) {
    return new InformerType<>(
        resource, object -> new EncodedObject(ObjectWriter.json(object.root())), List.of());
  }

  /** Begins to follow; {@code changed} runs after each change. */
  void listen(Runnable changed) {
    types.forEach((kind, type) -> informers.of(type).listen(new Changes(kind, changed)));
  }

  /** Waits until the informers have been complete once. */
  void awaitSync() throws InterruptedException {
    for (InformerType<EncodedObject> type : types.values()) {
      informers.of(type).awaitSync();
    }
  }

  /** Passes the changes since the last call. */
  void catchUp(ObjectSink<K> sink) {
    for (Consumer<ObjectSink<K>> change = changes.poll(); change != null; change = changes.poll()) {
      change.accept(sink);
    }
  }

  private final class Changes implements ObjectListener<EncodedObject> {

    private final K kind;
    private final Runnable changed;

    Changes(K kind, Runnable changed) {
      this.kind = kind;
      this.changed = changed;
    }

    @Override
    public void added(ObjectName name, EncodedObject object) {
      changes.add(sink -> sink.put(kind, object.decode()));
      changed.run();
    }

    @Override
    public void updated(ObjectName name, EncodedObject before, EncodedObject after) {
      added(name, after);
    }

    @Override
    public void deleted(ObjectName name, EncodedObject last) {
      changes.add(sink -> sink.remove(kind, name.namespace(), name.name()));
      changed.run();
    }
  }
}
