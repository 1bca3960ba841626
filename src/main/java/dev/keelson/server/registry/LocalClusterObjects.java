package dev.keelson.server.registry;

import dev.keelson.admission.ClusterObjects;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.cache.BoundedCache;
import dev.keelson.object.ApiObject;
import dev.keelson.registry.Collection;
import dev.keelson.registry.ReadVersion;
import dev.keelson.registry.StoredObject;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.registry.read.ListPage;
import dev.keelson.registry.read.ListQuery;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.storage.Bytes;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Looks up objects for admission in the local registry. */
public final class LocalClusterObjects implements ClusterObjects {

  private static final GroupVersionResource ACCOUNTS =
      GroupVersion.CORE_V1.resource("serviceaccounts");
  private static final GroupVersionResource RUNTIMES =
      new GroupVersionResource("node.k8s.io", "v1", "runtimeclasses");
  private static final GroupVersionResource CLASSES =
      new GroupVersionResource("scheduling.k8s.io", "v1", "priorityclasses");

  private static final int MOST_DECODED = 256;

  private final ResourceCatalog catalog;
  private final Supplier<GenericRegistry> registry;

  /** Cached: priority classes rarely change and every pod create reads them. */
  private volatile @Nullable Classes classes;

  /**
   * Cached: each write of a pod reads its namespace, its service account and its node, of which
   * there are few, and which rarely change.
   */
  private final BoundedCache<Key, Decoded> decoded = new BoundedCache<>(MOST_DECODED);

  private record Key(GroupVersionResource resource, String namespace, String name) {}

  /** The value too: a store that was restored from a backup gives revisions a second time. */
  private record Decoded(long revision, Bytes value, ApiObject object) {
    boolean isOf(StoredObject stored) {
      return revision == stored.revision() && value.equals(stored.value());
    }
  }

  private record Classes(List<Bytes> values, List<ApiObject> objects) {}

  /** Creates a lookup; {@code registry} is called on first use. */
  public LocalClusterObjects(ResourceCatalog catalog, Supplier<GenericRegistry> registry) {
    this.catalog = catalog;
    this.registry = registry;
  }

  @Override
  public Optional<ApiObject> serviceAccount(String namespace, String name) {
    return find(ACCOUNTS, namespace, name);
  }

  @Override
  public Optional<ApiObject> runtimeClass(String name) {
    return find(RUNTIMES, "", name);
  }

  @Override
  public Optional<ApiObject> priorityClass(String name) {
    return find(CLASSES, "", name);
  }

  @Override
  public List<ApiObject> priorityClasses() {
    GenericRegistry known = registry.get();
    List<StoredObject> stored =
        known
            .list(collection(CLASSES, ""), ListQuery.ALL, new ListPage(ReadVersion.ANY, 0, ""))
            .all();
    List<Bytes> values = stored.stream().map(StoredObject::value).toList();
    Classes last = classes;
    if (last == null || !last.values.equals(values)) {
      last = new Classes(values, stored.stream().map(known::served).toList());
      classes = last;
    }
    return last.objects;
  }

  /**
   * Reads from the cache, as kube-apiserver's admission does, and from the store if the object is
   * not in the cache.
   */
  @Override
  public Optional<ApiObject> find(GroupVersionResource resource, String namespace, String name) {
    GenericRegistry known = registry.get();
    Collection collection = collection(resource, namespace);
    return known
        .find(collection, name, ReadVersion.ANY)
        .or(() -> known.find(collection, name, ReadVersion.NEWEST))
        .map(stored -> decoded(known, new Key(resource, namespace, name), stored));
  }

  private ApiObject decoded(GenericRegistry known, Key key, StoredObject stored) {
    if (stored.definition().custom() != null) {
      // depends on the schema as well
      return known.served(stored);
    }
    Decoded last = decoded.get(key).orElse(null);
    if (last == null || !last.isOf(stored)) {
      last = new Decoded(stored.revision(), stored.value(), known.served(stored));
      decoded.put(key, last);
    }
    return last.object;
  }

  @Override
  public List<Supplier<ApiObject>> list(GroupVersionResource resource, String namespace) {
    GenericRegistry known = registry.get();
    return known
        .list(collection(resource, namespace), ListQuery.ALL, new ListPage(ReadVersion.ANY, 0, ""))
        .all()
        .stream()
        .<Supplier<ApiObject>>map(stored -> () -> known.served(stored))
        .toList();
  }

  private Collection collection(GroupVersionResource resource, String namespace) {
    return new Collection(catalog.snapshot().find(resource).orElseThrow(), namespace);
  }
}
