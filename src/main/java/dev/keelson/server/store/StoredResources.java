package dev.keelson.server.store;

import dev.keelson.api.GroupResource;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.storage.Bytes;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Maps a key of the store to its resource. The table of prefixes is built on first use and after
 * changes of the catalog. Safe for use by several threads.
 */
public final class StoredResources {

  private static final GroupResource UNKNOWN = new GroupResource("", "");

  private final ResourceCatalog catalog;
  private final int rootLength;
  private volatile Table table = new Table(-1, Map.of());

  private record Table(long generation, Map<String, GroupResource> byPrefix) {}

  /**
   * @param root the prefix of all keys, without a trailing slash
   */
  public StoredResources(ResourceCatalog catalog, String root) {
    this.catalog = catalog;
    this.rootLength = root.length() + 1;
  }

  /** Returns the resource of {@code key}; a resource with empty names if it is not served. */
  GroupResource of(Bytes key) {
    String text = key.utf8();
    if (text.length() <= rootLength) {
      return UNKNOWN;
    }
    Map<String, GroupResource> byPrefix = byPrefix();
    int first = text.indexOf('/', rootLength);
    if (first < 0) {
      return byPrefix.getOrDefault(text.substring(rootLength), UNKNOWN);
    }
    GroupResource found = byPrefix.get(text.substring(rootLength, first));
    if (found != null) {
      return found;
    }
    int second = text.indexOf('/', first + 1);
    String two = second < 0 ? text.substring(rootLength) : text.substring(rootLength, second);
    return Objects.requireNonNullElse(byPrefix.get(two), UNKNOWN);
  }

  private Map<String, GroupResource> byPrefix() {
    ResourceCatalog.Snapshot snapshot = catalog.snapshot();
    Table current = table;
    if (current.generation() != snapshot.generation()) {
      Map<String, GroupResource> byPrefix = new HashMap<>();
      for (ResourceDefinition definition : snapshot.all()) {
        StoredType stored = definition.storage();
        // the first one is the storage group; old groups share its keys
        if (stored != null && stored.kind().group().equals(definition.gvr().group())) {
          byPrefix.put(stored.keyPrefix(), definition.groupResource());
        }
      }
      current = new Table(snapshot.generation(), Map.copyOf(byPrefix));
      table = current;
    }
    return current.byPrefix();
  }
}
