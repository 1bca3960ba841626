package dev.keelson.server.cache;

import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.WorkQueue;
import dev.keelson.registry.write.CustomTypeLifecycle;
import dev.keelson.schema.CustomResourceVersion;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceCatalog.Snapshot;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.object.KeyLayout;
import dev.keelson.watch.WatchCache;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Releases what this server keeps of custom types that are no longer served, and removes the
 * objects that another request stored while their definition was removed.
 */
public final class RetiredTypes implements AutoCloseable {

  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  private final WatchCache cache;
  private final KeyLayout layout;
  private final CachedTypes cached;
  private final CustomTypeLifecycle types;
  private final WorkQueue<String> definitions =
      new WorkQueue<>("retired_types", FIRST_PAUSE, LONGEST_PAUSE);
  private final ControllerLoop loop =
      ControllerLoop.workers("retired-types", 1, definitions, this::removeAbandoned);

  /** Listens to {@code catalog}; the thread starts with the first definition that goes. */
  public RetiredTypes(
      ResourceCatalog catalog,
      WatchCache cache,
      KeyLayout layout,
      CachedTypes cached,
      CustomTypeLifecycle types) {
    this.cache = cache;
    this.layout = layout;
    this.cached = cached;
    this.types = types;
    catalog.onChange(this::release);
  }

  private void release(Snapshot before, Snapshot after, ResourceCatalog.Change change) {
    Set<String> retired = new HashSet<>();
    for (ResourceDefinition definition : change.removed()) {
      StoredType type = definition.storage();
      @Nullable CustomResourceVersion version = definition.custom();
      if (version == null || type == null) {
        continue;
      }
      @Nullable ResourceDefinition now = after.find(definition.gvr()).orElse(null);
      if (now == null) {
        if (after.storedUnder(type.keyPrefix()).isEmpty()) {
          retired.add(type.keyPrefix());
        }
      } else if (now.custom() != null && !isSame(version, now.custom())) {
        // deleted and created again
        gone(version.resource().name());
      }
    }
    retired.forEach(this::forget);
  }

  private static boolean isSame(CustomResourceVersion one, CustomResourceVersion other) {
    return one == other || one.resource().uid().equals(other.resource().uid());
  }

  private void forget(String keyPrefix) {
    Bytes prefix = layout.range(keyPrefix).start();
    cache.forget(prefix);
    cached.forget(keyPrefix);
  }

  /**
   * A definition was deleted and has left the catalog; does not block.
   *
   * @param definition its name, {@code PLURAL.GROUP}
   */
  public void gone(String definition) {
    definitions.add(definition);
    loop.start();
  }

  private Outcome removeAbandoned(String definition) {
    int dot = definition.indexOf('.');
    String keyPrefix = definition.substring(dot + 1) + "/" + definition.substring(0, dot);
    int unused = types.removeAbandoned(keyPrefix, definition);
    return Outcome.DONE;
  }

  @Override
  public void close() {
    loop.close();
  }
}
