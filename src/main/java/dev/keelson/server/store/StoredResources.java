package dev.keelson.server.store;

import dev.keelson.api.GroupResource;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.storage.Bytes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Maps a key of the store to its resource. Safe for use by several threads. */
public final class StoredResources {

  /** The resource of keys that belong to none. */
  static final GroupResource UNKNOWN = new GroupResource("", "");

  private final ResourceCatalog catalog;
  private final int rootLength;

  /**
   * @param root the prefix of all keys, without a trailing slash
   */
  public StoredResources(ResourceCatalog catalog, String root) {
    this.catalog = catalog;
    this.rootLength = root.length() + 1;
  }

  /** Returns the resource of {@code key}; a resource with empty names if it is not served. */
  public GroupResource of(Bytes key) {
    String text = key.utf8();
    if (text.length() <= rootLength) {
      return UNKNOWN;
    }
    ResourceCatalog.Snapshot served = catalog.snapshot();
    int first = text.indexOf('/', rootLength);
    if (first < 0) {
      return Objects.requireNonNullElse(at(served, text.substring(rootLength)), UNKNOWN);
    }
    GroupResource found = at(served, text.substring(rootLength, first));
    if (found != null) {
      return found;
    }
    int second = text.indexOf('/', first + 1);
    String two = second < 0 ? text.substring(rootLength) : text.substring(rootLength, second);
    return Objects.requireNonNullElse(at(served, two), UNKNOWN);
  }

  /** The key as kube-apiserver's spans show it: without the prefix of all keys. */
  String shown(Bytes key) {
    String text = key.utf8();
    return text.length() < rootLength ? text : text.substring(rootLength - 1);
  }

  private static @Nullable GroupResource at(ResourceCatalog.Snapshot served, String keyPrefix) {
    for (ResourceDefinition definition : served.storedUnder(keyPrefix)) {
      StoredType stored = definition.storage();
      // old groups share the keys of the storage group
      if (stored != null && stored.kind().group().equals(definition.gvr().group())) {
        return definition.groupResource();
      }
    }
    return null;
  }
}
