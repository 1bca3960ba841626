package dev.keelson.registry.client;

import dev.keelson.api.GroupResource;
import dev.keelson.client.ObjectAddress;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.object.KeyLayout;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Parses a key of the store into the object that it belongs to, also of a type that is no longer
 * served: its deletions may be read after the type went. Safe for use by several threads.
 */
final class KeyParser {

  /** How many types that are no longer served are remembered. */
  private static final int MOST_FORMER = 10_000;

  /**
   * An object's place.
   *
   * @param type what is stored there; null if it is no longer served
   */
  record Place(@Nullable StoredType type, ObjectAddress address) {}

  /** The type of a key prefix. */
  private record Keyed(@Nullable StoredType type, GroupResource resource, boolean namespaced) {}

  private final ResourceCatalog catalog;
  private final String prefix;

  /** Types that are no longer served by key prefix; guarded by itself. */
  private final Map<String, Keyed> former =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Keyed> eldest) {
          return size() > MOST_FORMER;
        }
      };

  /** A parser of the keys of a catalog's types, which remembers those that go from now on. */
  KeyParser(ResourceCatalog catalog, KeyLayout layout) {
    this.catalog = catalog;
    this.prefix = layout.prefix().utf8();
    catalog.onChange(this::remember);
  }

  private void remember(
      ResourceCatalog.Snapshot before,
      ResourceCatalog.Snapshot after,
      ResourceCatalog.Change change) {
    for (ResourceDefinition gone : change.removed()) {
      StoredType type = gone.storage();
      if (type != null && after.storedUnder(type.keyPrefix()).isEmpty()) {
        synchronized (former) {
          Keyed unused =
              former.put(
                  type.keyPrefix(), new Keyed(null, gone.groupResource(), gone.namespaced()));
        }
      }
    }
  }

  /** The place that a key names; empty if it belongs to no type that is or was served. */
  Optional<Place> place(Bytes key) {
    String text = key.utf8();
    if (!text.startsWith(prefix)) {
      return Optional.empty();
    }
    String rest = text.substring(prefix.length());
    // prefixes of types have one segment or two
    int slash = rest.indexOf('/');
    for (int i = 0; i < 2 && slash > 0; i++) {
      String first = rest.substring(0, slash);
      Keyed known = known(first);
      if (known != null) {
        return place(known, rest.substring(slash + 1));
      }
      slash = rest.indexOf('/', slash + 1);
    }
    return Optional.empty();
  }

  private static Optional<Place> place(Keyed known, String path) {
    int slash = path.indexOf('/');
    if (known.namespaced() != slash >= 0) {
      return Optional.empty();
    }
    String namespace = slash < 0 ? "" : path.substring(0, slash);
    return Optional.of(
        new Place(
            known.type(),
            new ObjectAddress(known.resource(), namespace, path.substring(slash + 1))));
  }

  /** The type at a key prefix; null if there is none that is or was served. */
  private @Nullable Keyed known(String keyPrefix) {
    List<ResourceDefinition> served = catalog.snapshot().storedUnder(keyPrefix);
    if (served.isEmpty()) {
      synchronized (former) {
        return former.get(keyPrefix);
      }
    }
    ResourceDefinition first = served.getFirst();
    StoredType type = Objects.requireNonNull(first.storage());
    return new Keyed(type.written(), first.groupResource(), first.namespaced());
  }
}
