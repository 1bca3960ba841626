package dev.keelson.registry.client;

import dev.keelson.client.ObjectAddress;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.object.KeyLayout;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Parses a key of the store into the object that it belongs to. Used by one thread. */
final class KeyParser {

  /**
   * An object's place.
   *
   * @param type what is stored there
   */
  record Place(StoredType type, ObjectAddress address) {}

  private final ResourceCatalog catalog;
  private final String prefix;
  private final Map<String, ResourceDefinition> byPrefix = new HashMap<>();
  private long generation;

  KeyParser(ResourceCatalog catalog, KeyLayout layout) {
    this.catalog = catalog;
    this.prefix = layout.prefix().utf8();
  }

  /** The place that a key names; empty if it belongs to no type that is served. */
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
      ResourceDefinition definition = byPrefix.get(rest.substring(0, slash));
      if (definition != null) {
        return place(definition, rest.substring(slash + 1));
      }
      slash = rest.indexOf('/', slash + 1);
    }
    return Optional.empty();
  }

  private static Optional<Place> place(ResourceDefinition definition, String path) {
    int slash = path.indexOf('/');
    @Nullable StoredType type = definition.storage();
    if (definition.namespaced() != slash >= 0 || type == null) {
      return Optional.empty();
    }
    String namespace = slash < 0 ? "" : path.substring(0, slash);
    return Optional.of(
        new Place(type, new ObjectAddress(definition.gvr(), namespace, path.substring(slash + 1))));
  }

  private void refresh() {
    ResourceCatalog.Snapshot snapshot = catalog.snapshot();
    if (snapshot.generation() == generation) {
      return;
    }
    generation = snapshot.generation();
    byPrefix.clear();
    for (ResourceDefinition definition : snapshot.all()) {
      StoredType type = definition.storage();
      if (type != null) {
        byPrefix.putIfAbsent(type.keyPrefix(), definition);
      }
    }
  }
}
