package dev.keelson.registry.client;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldSelector;
import dev.keelson.api.GroupResource;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.LabelSelector;
import dev.keelson.api.Reason;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.Remaining;
import dev.keelson.client.ResourceClient;
import dev.keelson.object.ApiObject;
import dev.keelson.object.ObjectMeta;
import dev.keelson.registry.Collection;
import dev.keelson.registry.ReadVersion;
import dev.keelson.registry.StoredObject;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.registry.read.ListPage;
import dev.keelson.registry.read.ListQuery;
import dev.keelson.registry.write.DeleteQuery;
import dev.keelson.registry.write.DeleteQuery.Propagation;
import dev.keelson.registry.write.Deleted;
import dev.keelson.schema.DerivedBySchema;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.codec.stored.ScanResult;
import dev.keelson.schema.codec.stored.StoredPath;
import dev.keelson.schema.codec.stored.StoredScan;
import dev.keelson.storage.Bytes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A client that calls the registry of its own process. */
public final class LocalResourceClient implements ResourceClient {

  private static final GroupVersionResource NAMESPACES =
      GroupVersion.CORE_V1.resource("namespaces");

  /** Deletes in parallel share the commits of the store. */
  private static final int DELETE_WORKERS = 16;

  private final ResourceCatalog catalog;
  private final GenericRegistry registry;
  private final ToLongFunction<StoredType> answered;
  private final WriteOptions options;
  private final DerivedBySchema<IdentityPaths> identityPaths =
      new DerivedBySchema<>(IdentityPaths.class);

  /** A client whose cached reads accept any revision. */
  public LocalResourceClient(ResourceCatalog catalog, GenericRegistry registry) {
    this(catalog, registry, type -> 0);
  }

  /**
   * A client.
   *
   * @param answered gives the minimum revision of cached reads of a type
   */
  public LocalResourceClient(
      ResourceCatalog catalog, GenericRegistry registry, ToLongFunction<StoredType> answered) {
    this(catalog, registry, answered, WriteOptions.PERSIST);
  }

  private LocalResourceClient(
      ResourceCatalog catalog,
      GenericRegistry registry,
      ToLongFunction<StoredType> answered,
      WriteOptions options) {
    this.catalog = catalog;
    this.registry = registry;
    this.answered = answered;
    this.options = options;
  }

  @Override
  public ResourceClient as(String fieldManager) {
    return new LocalResourceClient(
        catalog, registry, answered, WriteOptions.persistAs(fieldManager));
  }

  @Override
  public Optional<ApiObject> get(GroupVersionResource resource, String namespace, String name) {
    return registry.find(collection(resource, namespace), name).map(registry::served);
  }

  @Override
  public Optional<ApiObject> getCached(
      GroupVersionResource resource, String namespace, String name) {
    return registry
        .find(collection(resource, namespace), name, atHand(resource))
        .map(registry::served);
  }

  private ReadVersion atHand(GroupVersionResource resource) {
    long least = answered.applyAsLong(collection(resource, "").type());
    return least == 0 ? ReadVersion.ANY : new ReadVersion.NotOlderThan(least);
  }

  @Override
  public Optional<Identity> getCachedIdentity(
      GroupVersionResource resource, String namespace, String name) {
    return registry
        .find(collection(resource, namespace), name, atHand(resource))
        .map(this::identity);
  }

  /** Reads two values from the stored bytes; decodes the object if the scan cannot find them. */
  private Identity identity(StoredObject object) {
    IdentityPaths where =
        identityPaths.of(Collection.storedType(object.definition()).schema(), IdentityPaths::of);
    Bytes value = object.value();
    ScanResult uid = StoredScan.field(value.backing(), value.offset(), value.end(), where.uid);
    ScanResult deletion =
        StoredScan.field(value.backing(), value.offset(), value.end(), where.deletion);
    if (uid instanceof ScanResult.Value && !(deletion instanceof ScanResult.Unreadable)) {
      return new Identity(text(uid), text(deletion), Long.toString(object.revision()));
    }
    return Identity.of(registry.served(object));
  }

  private static String text(ScanResult found) {
    return found instanceof ScanResult.Value value ? value.text() : "";
  }

  private record IdentityPaths(StoredPath uid, StoredPath deletion) {
    static IdentityPaths of(StructSchema schema) {
      return new IdentityPaths(
          StoredPath.of(schema, "metadata.uid"),
          StoredPath.of(schema, "metadata.deletionTimestamp"));
    }
  }

  @Override
  public Optional<String> namespaceOf(GroupVersionResource resource, String name, String uid) {
    ListQuery query =
        new ListQuery(
            LabelSelector.EVERYTHING,
            new FieldSelector(List.of(new FieldSelector.Term("metadata.name", name, false))));
    ListPage known = new ListPage(ReadVersion.ANY, 0, "");
    return registry.list(collection(resource, ""), query, known).all().stream()
        .map(object -> registry.served(object).meta())
        .filter(meta -> meta.uid().equals(uid))
        .map(ObjectMeta::namespace)
        .findFirst();
  }

  @Override
  public List<ApiObject> list(GroupVersionResource resource, String namespace) {
    return registry
        .list(collection(resource, namespace), ListQuery.ALL, ListPage.WHOLE)
        .all()
        .stream()
        .map(registry::served)
        .toList();
  }

  @Override
  public int count(GroupVersionResource resource, String namespace) {
    return registry
        .list(collection(resource, namespace), ListQuery.ALL, ListPage.WHOLE)
        .all()
        .size();
  }

  @Override
  public ApiObject create(GroupVersionResource resource, String namespace, ApiObject object) {
    return registry.served(registry.create(collection(resource, namespace), object, options));
  }

  @Override
  public Optional<ApiObject> change(
      GroupVersionResource resource, String namespace, String name, UnaryOperator<ApiObject> edit) {
    try {
      return Optional.of(
          registry.served(
              registry
                  .patch(collection(resource, namespace), name, edit::apply, options)
                  .object()));
    } catch (ApiException e) {
      if (e.reason() == Reason.NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
  }

  @Override
  public void delete(
      GroupVersionResource resource, String namespace, String name, DeleteRequest request) {
    Propagation propagation =
        switch (request.dependents()) {
          case DEFAULT -> null;
          case ORPHAN -> Propagation.ORPHAN;
          case BACKGROUND -> Propagation.BACKGROUND;
          case FOREGROUND -> Propagation.FOREGROUND;
        };
    DeleteQuery query =
        new DeleteQuery(
            condition(request.uid()),
            condition(request.resourceVersion()),
            request.graceSeconds(),
            propagation);
    Deleted unused = registry.delete(collection(resource, namespace), name, query, options);
  }

  /** A condition of a request, where an empty one is none. */
  private static @Nullable String condition(String text) {
    return text.isEmpty() ? null : text;
  }

  @Override
  public Optional<ApiObject> changeStatus(
      GroupVersionResource resource, String namespace, String name, UnaryOperator<ApiObject> edit) {
    try {
      return Optional.of(
          registry.served(
              registry
                  .patchStatus(collection(resource, namespace), name, edit::apply, options)
                  .object()));
    } catch (ApiException e) {
      if (e.reason() == Reason.NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
  }

  @Override
  public Remaining deleteAll(GroupVersionResource resource, String namespace) {
    Collection collection = collection(resource, namespace);
    List<StoredObject> found =
        registry
            .deleteCollection(
                collection,
                ListQuery.ALL,
                ListPage.WHOLE,
                DeleteQuery.UNCONDITIONAL.with(Propagation.BACKGROUND),
                options,
                DELETE_WORKERS)
            .all();
    if (found.isEmpty()) {
      return new Remaining(0, 0, Map.of());
    }
    Map<String, Integer> finalizers = new HashMap<>();
    List<StoredObject> left = registry.list(collection, ListQuery.ALL, ListPage.WHOLE).all();
    for (StoredObject object : left) {
      for (String finalizer : registry.served(object).meta().finalizers()) {
        int unused = finalizers.merge(finalizer, 1, Integer::sum);
      }
    }
    return new Remaining(found.size(), left.size(), finalizers);
  }

  @Override
  public void finalizeNamespace(String name, String finalizer) {
    StoredObject unused = registry.finalizeNamespace(collection(NAMESPACES, ""), name, finalizer);
  }

  private Collection collection(GroupVersionResource resource, String namespace) {
    return new Collection(
        catalog
            .snapshot()
            .find(resource)
            .orElseThrow(
                () ->
                    ApiException.notFound(
                        new GroupResource(resource.group(), resource.resource()), "")),
        namespace);
  }
}
