package dev.keelson.server.store;

import dev.keelson.api.GroupResource;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.storage.Bytes;
import org.jspecify.annotations.Nullable;

/** Maps a key of the store to its resource. Safe for use by several threads. */
public final class StoredResources {

  /** The resource of keys that belong to none. */
  static final GroupResource UNKNOWN = new GroupResource("", "");

  /** The only group whose Go package has another name than its first label. */
  private static final String INTERNAL = "internal.apiserver.k8s.io";

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
    ResourceDefinition definition = definition(key);
    return definition == null ? UNKNOWN : definition.groupResource();
  }

  /** The Go type of the objects, as kube-apiserver's spans show it; empty if none is served. */
  String type(Bytes key) {
    ResourceDefinition definition = definition(key);
    if (definition == null) {
      return "";
    }
    if (definition.custom() != null) {
      return "*unstructured.Unstructured";
    }
    String group = definition.gvr().group();
    String name = group.equals(INTERNAL) ? "apiserverinternal" : group.split("\\.", 2)[0];
    return "*" + (name.isEmpty() ? "core" : name) + "." + definition.kind();
  }

  private @Nullable ResourceDefinition definition(Bytes key) {
    String text = key.utf8();
    if (text.length() <= rootLength) {
      return null;
    }
    ResourceCatalog.Snapshot served = catalog.snapshot();
    int first = text.indexOf('/', rootLength);
    if (first < 0) {
      return at(served, text.substring(rootLength));
    }
    ResourceDefinition found = at(served, text.substring(rootLength, first));
    if (found != null) {
      return found;
    }
    int second = text.indexOf('/', first + 1);
    return at(served, second < 0 ? text.substring(rootLength) : text.substring(rootLength, second));
  }

  /** The key as kube-apiserver's spans show it: without the prefix of all keys. */
  String shown(Bytes key) {
    String text = key.utf8();
    return text.length() < rootLength ? text : text.substring(rootLength - 1);
  }

  private static @Nullable ResourceDefinition at(
      ResourceCatalog.Snapshot served, String keyPrefix) {
    for (ResourceDefinition definition : served.storedUnder(keyPrefix)) {
      StoredType stored = definition.storage();
      // old groups share the keys of the storage group
      if (stored != null && stored.kind().group().equals(definition.gvr().group())) {
        return definition;
      }
    }
    return null;
  }
}
