package dev.keelson.registry.write;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.registry.Collection;
import dev.keelson.schema.CustomResourceVersion;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.storage.Entry;
import dev.keelson.storage.WriteOutcome;
import dev.keelson.storage.object.ObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Keeps objects of custom types from outliving their CustomResourceDefinition. Safe for use by
 * several threads.
 */
public final class CustomTypeLifecycle {

  /*
   * The definition is removed after a listing found no object of it. A server that has not yet seen the deletion may still store one
   * afterwards. So a create looks at the catalog again after its write, and removes its object if the type is gone; and every server looks
   * for objects that were left when its own catalog loses the type (`removeAbandoned`). A create whose look at the catalog comes before that
   * change has stored its object before the search begins.
   */

  private static final Logger LOG = Logger.getLogger(CustomTypeLifecycle.class);
  private static final GroupVersionResource DEFINITIONS =
      new GroupVersion("apiextensions.k8s.io", "v1").resource("customresourcedefinitions");

  private final ResourceCatalog catalog;
  private final ObjectStore store;

  public CustomTypeLifecycle(ResourceCatalog catalog, ObjectStore store) {
    this.catalog = catalog;
    this.store = store;
  }

  /**
   * Rejects creates while the definition is being deleted.
   *
   * @throws ApiException of reason MethodNotAllowed
   */
  void checkCreate(ResourceDefinition definition) {
    if (definition.terminating()) {
      ApiException refused = ApiException.methodNotAllowed(definition.groupResource(), "create");
      throw new ApiException(
          Reason.METHOD_NOT_ALLOWED,
          "create not allowed while custom resource definition is terminating",
          refused.details(),
          null);
    }
  }

  /**
   * Removes an object that was stored after its definition was removed.
   *
   * @param revision of the create
   * @throws ApiException of reason NotFound if the object was removed
   */
  void checkCreated(Collection collection, String name, long revision) {
    ResourceDefinition definition = collection.definition();
    @Nullable CustomResourceVersion version = definition.custom();
    if (version == null || revision == 0 || isDefined(definition, version)) {
      return;
    }
    Optional<Entry> found = find(version.resource().name());
    if (found.isPresent() && found.get().createRevision() < revision) {
      return;
    }
    WriteOutcome outcome = store.delete(collection.type(), collection.namespace(), name, revision);
    LOG.debugf(
        "event=custom-object-refused gvr=%s name=%s outcome=%s", definition.gvr(), name, outcome);
    throw ApiException.notFound(definition.groupResource(), name);
  }

  private boolean isDefined(ResourceDefinition definition, CustomResourceVersion version) {
    return catalog
        .snapshot()
        .find(definition.gvr())
        .map(ResourceDefinition::custom)
        .filter(now -> now.resource().uid().equals(version.resource().uid()))
        .isPresent();
  }

  /**
   * Removes the objects of a type that were created before its definition, or that have none; they
   * belong to a definition that was deleted. Finalizers do not delay this, since no client can
   * reach the objects.
   *
   * @param keyPrefix of the type, {@code GROUP/PLURAL}
   * @param definition the name of the CustomResourceDefinition
   * @return the number of removed objects
   */
  public int removeAbandoned(String keyPrefix, String definition) {
    Optional<Entry> found = find(definition);
    long created = found.isPresent() ? found.get().createRevision() : Long.MAX_VALUE;
    List<Entry> abandoned = new ArrayList<>();
    long revision =
        store.list(
            keyPrefix,
            entry -> {
              if (entry.createRevision() < created) {
                abandoned.add(entry);
              }
            });
    int removed = 0;
    for (Entry entry : abandoned) {
      // another server may remove it at the same time
      if (store.delete(entry) instanceof WriteOutcome.Applied) {
        removed++;
      }
    }
    if (removed > 0) {
      LOG.infof(
          "event=abandoned-objects-removed definition=%s count=%d rev=%d",
          definition, removed, revision);
    }
    return removed;
  }

  private Optional<Entry> find(String name) {
    StoredType type = Collection.storedType(catalog.snapshot().find(DEFINITIONS).orElseThrow());
    return Optional.ofNullable(store.get(type, "", name).entry());
  }
}
