package dev.keelson.registry.read;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.object.Node;
import dev.keelson.schema.CustomResourceVersion;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceCatalog.Snapshot;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The open watches of custom types. A watch sends objects by the definition with which it began, so
 * it ends when its type is deleted or no longer served in its version, and when what it would send
 * changes: the kind, the storage version, the fields that pruning and defaulting know, the
 * conversion, the columns of tables, the selectable fields. The events before the change are sent
 * first; the stream then ends without an error, and the client continues from its last revision.
 *
 * <p>Safe for use by several threads. An open watch costs one entry of a map, an event nothing.
 */
final class CustomWatches implements ResourceCatalog.Listener {

  private static final Logger LOG = Logger.getLogger(CustomWatches.class);

  private final ResourceCatalog catalog;
  private final Map<GroupVersionResource, Set<OpenWatch>> open = new ConcurrentHashMap<>();

  CustomWatches(ResourceCatalog catalog) {
    this.catalog = catalog;
  }

  /**
   * Ends {@code watch} when its type changes.
   *
   * @param wake runs when the watch has ended; must not block
   */
  ObjectWatch open(ResourceDefinition definition, ObjectWatch watch, Runnable wake) {
    OpenWatch opened = new OpenWatch(definition, watch, wake);
    Set<OpenWatch> unused =
        open.compute(
            definition.gvr(),
            (type, known) -> {
              Set<OpenWatch> all = known == null ? ConcurrentHashMap.newKeySet() : known;
              all.add(opened);
              return all;
            });
    // the type may have changed since the request looked it up
    @Nullable ResourceDefinition now = catalog.snapshot().find(definition.gvr()).orElse(null);
    if (now != definition) {
      compare(List.of(opened), now);
    }
    return opened;
  }

  /** The number of open watches. */
  int count() {
    return open.values().stream().mapToInt(Set::size).sum();
  }

  @Override
  public void changed(Snapshot before, Snapshot after, ResourceCatalog.Change change) {
    for (ResourceDefinition replaced : change.removed()) {
      Set<OpenWatch> watches = open.getOrDefault(replaced.gvr(), Set.of());
      @Nullable ResourceDefinition now = after.find(replaced.gvr()).orElse(null);
      List<OpenWatch> affected = watches.stream().filter(watch -> watch.definition != now).toList();
      if (!affected.isEmpty()) {
        compare(affected, now);
      }
    }
  }

  private static void compare(Collection<OpenWatch> watches, @Nullable ResourceDefinition now) {
    if (now == null) {
      watches.forEach(OpenWatch::end);
      return;
    }
    // may read the schemas of both definitions, so not on the thread of the caller
    Thread unused =
        Thread.ofVirtual()
            .name("watch-ends")
            .start(() -> watches.stream().filter(w -> differs(w, now)).forEach(OpenWatch::end));
  }

  private static boolean differs(OpenWatch watch, ResourceDefinition now) {
    try {
      return !sendsTheSame(watch.definition, now);
    } catch (RuntimeException e) {
      LOG.warnf("event=watch-type-unreadable gvr=%s error=%s", now.gvr(), e.getMessage());
      return true;
    }
  }

  private static boolean sendsTheSame(ResourceDefinition before, ResourceDefinition now) {
    @Nullable CustomResourceVersion one = before.custom();
    @Nullable CustomResourceVersion other = now.custom();
    @Nullable StoredType stored = before.storage();
    @Nullable StoredType storedNow = now.storage();
    if (one == null || other == null || stored == null || storedNow == null) {
      return false;
    }
    if (one == other) {
      return true;
    }
    return one.resource().uid().equals(other.resource().uid())
        && before.kind().equals(now.kind())
        && stored.written().kind().equals(storedNow.written().kind())
        && Arrays.equals(one.mark(), other.mark())
        && Arrays.equals(mark(stored.written()), mark(storedNow.written()))
        && same(one, other, "additionalPrinterColumns")
        && same(one, other, "selectableFields")
        && (isStored(before, stored.written().kind()) || sameConversion(one, other));
  }

  private static byte[] mark(StoredType type) {
    @Nullable CustomResourceVersion version = CustomResourceVersion.of(type.schema());
    return version == null ? new byte[0] : version.mark();
  }

  private static boolean same(
      CustomResourceVersion one, CustomResourceVersion other, String field) {
    return Objects.equals(one.declaration().get(field), other.declaration().get(field));
  }

  private static boolean isStored(ResourceDefinition definition, GroupVersionKind stored) {
    return definition.gvk().equals(stored);
  }

  private static boolean sameConversion(CustomResourceVersion one, CustomResourceVersion other) {
    @Nullable Node before = one.resource().spec().get("conversion");
    return Objects.equals(before, other.resource().spec().get("conversion"));
  }

  private void remove(OpenWatch closed) {
    Set<OpenWatch> unused =
        open.computeIfPresent(
            closed.definition.gvr(),
            (type, known) -> {
              known.remove(closed);
              return known.isEmpty() ? null : known;
            });
  }

  /** A watch that can be ended; the reader finds the end when it has polled all events. */
  private final class OpenWatch implements ObjectWatch {
    private final ResourceDefinition definition;
    private final ObjectWatch watch;
    private final Runnable wake;
    private volatile boolean ended;

    OpenWatch(ResourceDefinition definition, ObjectWatch watch, Runnable wake) {
      this.definition = definition;
      this.watch = watch;
      this.wake = wake;
    }

    void end() {
      ended = true;
      wake.run();
    }

    @Override
    public Batch poll(int most) {
      // read before the poll: what was offered before the end is polled
      boolean last = ended;
      Batch batch = watch.poll(most);
      return last && !batch.more() && batch.end() == null
          ? new Batch(
              batch.events(),
              batch.revision(),
              batch.initialDone(),
              /* more= */ false,
              ObjectWatch.typeChanged())
          : batch;
    }

    @Override
    public boolean lagged() {
      return watch.lagged();
    }

    @Override
    public void close() {
      remove(this);
      watch.close();
    }
  }
}
