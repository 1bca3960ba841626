package dev.keelson.registry.client;

import dev.keelson.api.GroupResource;
import dev.keelson.client.ObjectAddress;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.object.KeyLayout;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Parses a key of the store into the object that it belongs to, also of a type that is no longer
 * served: its deletions may be read after the type went. Used by one thread.
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
  private record Keyed(@Nullable StoredType type, GroupResource resource, boolean namespaced) {
    Keyed former() {
      return new Keyed(null, resource, namespaced);
    }
  }

  private final ResourceCatalog catalog;
  private final String prefix;
  private Map<String, Keyed> byPrefix = new HashMap<>();
  private final Map<String, Keyed> former =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Keyed> eldest) {
          return size() > MOST_FORMER;
        }
      };
  private Set<String> appeared = new LinkedHashSet<>();
  private long generation;

  KeyParser(ResourceCatalog catalog, KeyLayout layout) {
    this.catalog = catalog;
    this.prefix = layout.prefix().utf8();
  }

  /** The place that a key names; empty if it belongs to no type that is or was served. */
  Optional<Place> place(Bytes key) {
    refresh();
    String text = key.utf8();
    if (!text.startsWith(prefix)) {
      return Optional.empty();
    }
    String rest = text.substring(prefix.length());
    // prefixes of types have one segment or two
    int slash = rest.indexOf('/');
    for (int i = 0; i < 2 && slash > 0; i++) {
      String first = rest.substring(0, slash);
      Keyed known = byPrefix.getOrDefault(first, former.get(first));
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

  /** The key prefixes of types that are served now and were not at the last call. */
  Set<String> appeared() {
    refresh();
    Set<String> found = appeared;
    appeared = new LinkedHashSet<>();
    return found;
  }

  private void refresh() {
    ResourceCatalog.Snapshot snapshot = catalog.snapshot();
    if (snapshot.generation() == generation) {
      return;
    }
    generation = snapshot.generation();
    Map<String, Keyed> next = new HashMap<>();
    for (ResourceDefinition definition : snapshot.all()) {
      StoredType type = definition.storage();
      if (type != null) {
        next.putIfAbsent(
            type.keyPrefix(),
            new Keyed(type.written(), definition.groupResource(), definition.namespaced()));
      }
    }
    byPrefix.forEach(
        (known, keyed) -> {
          if (!next.containsKey(known)) {
            former.put(known, keyed.former());
            appeared.remove(known);
          }
        });
    for (String known : next.keySet()) {
      if (!byPrefix.containsKey(known)) {
        former.remove(known);
        appeared.add(known);
      }
    }
    byPrefix = next;
  }
}
