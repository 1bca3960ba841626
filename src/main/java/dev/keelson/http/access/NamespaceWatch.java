package dev.keelson.http.access;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.Reason;
import dev.keelson.http.access.NamespaceVisibility.View;
import dev.keelson.http.verb.VirtualResource;
import dev.keelson.object.ApiObject;
import dev.keelson.registry.StoredObject;
import dev.keelson.registry.read.ListQuery;
import dev.keelson.registry.read.ObjectEvent;
import dev.keelson.registry.read.ObjectEvent.Type;
import dev.keelson.registry.read.ObjectWatch;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.storage.Bytes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Watches the namespaces visible to one user. After each change of a namespace, role or binding it
 * recomputes them and sends the differences. One computation runs at a time, on its own virtual
 * thread, and only after the reader has taken the last events, so that a slow reader costs no
 * memory and several changes become one event.
 */
final class NamespaceWatch implements ObjectWatch {

  private static final Logger LOG = Logger.getLogger(NamespaceWatch.class);

  private final ResourceDefinition definition;
  private final Supplier<View> sight;
  private final ListQuery selection;
  private final Runnable wake;

  /** Guards the fields below. No foreign code is called with it held. */
  private final ReentrantLock lock = new ReentrantLock();

  private final ArrayDeque<ObjectEvent> waiting = new ArrayDeque<>();
  private SortedMap<String, ApiObject> shown = new TreeMap<>();
  private int initial;
  private long revision;
  private boolean looking;
  private boolean again;
  private boolean closed;
  private @Nullable ApiException failure;
  private Runnable deaf = () -> {};

  /**
   * Creates a watch that has not started.
   *
   * @param sight computes the visible namespaces; may block
   * @param wake runs when there are events to poll
   */
  NamespaceWatch(
      ResourceDefinition definition, Supplier<View> sight, ListQuery selection, Runnable wake) {
    this.definition = definition;
    this.sight = sight;
    this.selection = selection;
    this.wake = wake;
  }

  /**
   * Computes the initial state and starts to watch.
   *
   * @param directory supplies the changes
   * @param tellFirst whether to send the initial namespaces as events
   */
  void begin(NamespaceSource directory, boolean tellFirst) {
    // listens before the first computation, so that no change is missed
    Runnable stop = directory.listen(this::changed);
    try {
      View first = sight.get();
      lock.lock();
      try {
        deaf = stop;
        revision = first.revision();
        SortedMap<String, ApiObject> seen = selected(first);
        if (tellFirst) {
          tell(seen);
          initial = waiting.size();
        }
        shown = seen;
      } finally {
        lock.unlock();
      }
    } catch (RuntimeException e) {
      stop.run();
      throw e;
    }
  }

  /** Schedules a computation after a change. */
  private void changed() {
    lock.lock();
    try {
      again = true;
      lookIfNeeded();
    } finally {
      lock.unlock();
    }
  }

  private void lookIfNeeded() {
    if (again && !looking && !closed && failure == null && waiting.isEmpty()) {
      again = false;
      looking = true;
      Thread unused = Thread.ofVirtual().name("visible-namespaces").start(this::look);
    }
  }

  private void look() {
    View seen = null;
    ApiException error = null;
    try {
      seen = sight.get();
    } catch (ApiException e) {
      error = e;
    } catch (RuntimeException e) {
      LOG.warnf("event=visible-namespaces-unknown error=%s", e.getMessage());
      error =
          new ApiException(
              Reason.SERVICE_UNAVAILABLE,
              "the visible namespaces cannot be determined; please try again",
              ErrorDetails.NONE.withRetryAfterSeconds(1),
              e);
    }
    lock.lock();
    try {
      looking = false;
      failure = error;
      if (seen != null) {
        revision = Math.max(revision, seen.revision());
        SortedMap<String, ApiObject> now = selected(seen);
        tell(now);
        shown = now;
      }
      lookIfNeeded();
    } finally {
      lock.unlock();
    }
    wake.run();
  }

  private SortedMap<String, ApiObject> selected(View view) {
    SortedMap<String, ApiObject> some = new TreeMap<>();
    view.byName()
        .forEach(
            (name, object) -> {
              if (VirtualResource.matches(selection, object)) {
                some.put(name, object);
              }
            });
    return some;
  }

  private void tell(SortedMap<String, ApiObject> now) {
    for (Map.Entry<String, ApiObject> entry : shown.entrySet()) {
      if (!now.containsKey(entry.getKey())) {
        tell(Type.DELETED, entry.getValue());
      }
    }
    for (Map.Entry<String, ApiObject> entry : now.entrySet()) {
      ApiObject before = shown.get(entry.getKey());
      if (before == null) {
        tell(Type.ADDED, entry.getValue());
      } else if (!before.equals(entry.getValue())) {
        tell(Type.MODIFIED, entry.getValue());
      }
    }
  }

  private void tell(Type type, ApiObject object) {
    ApiObject typed =
        NamespaceVisibility.at(revision, object)
            .withType(definition.gvk().apiVersion(), definition.kind());
    waiting.add(new ObjectEvent(type, new StoredObject(definition, Bytes.EMPTY, 0, typed), null));
  }

  @Override
  public Batch poll(int most) {
    lock.lock();
    try {
      List<ObjectEvent> events = new ArrayList<>(Math.min(most, waiting.size()));
      while (events.size() < most && !waiting.isEmpty()) {
        events.add(waiting.poll());
      }
      initial -= Math.min(initial, events.size());
      boolean taken = waiting.isEmpty();
      lookIfNeeded();
      return new Batch(events, taken ? revision : 0, initial == 0, !taken, taken ? failure : null);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean lagged() {
    return false;
  }

  @Override
  public void close() {
    Runnable stop;
    lock.lock();
    try {
      closed = true;
      waiting.clear();
      stop = deaf;
    } finally {
      lock.unlock();
    }
    stop.run();
  }
}
