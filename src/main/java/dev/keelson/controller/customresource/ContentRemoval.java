package dev.keelson.controller.customresource;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupResource;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.Remaining;
import dev.keelson.client.ResourceClient;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Removes the objects of a definition that is being deleted, then the finalizer that holds the
 * definition (source: Kubernetes' finalizing controller). Objects are deleted through the API, so
 * their finalizers are respected; the definition waits for them.
 */
final class ContentRemoval {

  private static final Logger LOG = Logger.getLogger(ContentRemoval.class);

  /** Built-in resources whose objects have the keys that a custom resource of the name has. */
  private static final Set<GroupResource> OVERLAPPING =
      Set.of(
          new GroupResource("apiregistration.k8s.io", "apiservices"),
          new GroupResource("apiextensions.k8s.io", "customresourcedefinitions"));

  private static final DefinitionCondition IN_PROGRESS =
      terminating(
          DefinitionCondition.TRUE,
          "InstanceDeletionInProgress",
          "CustomResource deletion is in progress");
  private static final DefinitionCondition COMPLETED =
      terminating(DefinitionCondition.FALSE, "InstanceDeletionCompleted", "removed all instances");
  private static final DefinitionCondition NEVER_ESTABLISHED =
      terminating(DefinitionCondition.FALSE, "NeverEstablished", "resource was never established");
  private static final DefinitionCondition OVERLAPS =
      terminating(
          DefinitionCondition.FALSE,
          "OverlappingBuiltInResource",
          "instances overlap with built-in resources in storage");

  private final ResourceCatalog catalog;
  private final ResourceClient client;
  private final InstantSource clock;

  ContentRemoval(ResourceCatalog catalog, ResourceClient client, InstantSource clock) {
    this.catalog = catalog;
    this.client = client;
    this.clock = clock;
  }

  private static DefinitionCondition terminating(String status, String reason, String message) {
    return new DefinitionCondition(DefinitionCondition.TERMINATING, status, reason, message);
  }

  /** Makes one attempt; is called again while objects remain. */
  Outcome remove(Definition definition) {
    if (OVERLAPPING.contains(
        new GroupResource(definition.group(), definition.requested().plural()))) {
      return release(definition, OVERLAPS, object -> true);
    }
    if (!definition.isTrue(DefinitionCondition.ESTABLISHED)) {
      return release(definition, NEVER_ESTABLISHED, object -> !isEstablished(object));
    }
    @Nullable GroupVersionResource resource = served(definition).orElse(null);
    if (resource != null) {
      tell(definition, IN_PROGRESS);
      Remaining remaining;
      try {
        remaining = client.deleteAll(resource, "");
      } catch (ApiException e) {
        LOG.warnf(
            "event=definition-content-failed definition=%s error=%s", definition.name(), e.text());
        String message = "could not issue all deletes: " + e.text();
        tell(definition, terminating(DefinitionCondition.TRUE, "InstanceDeletionFailed", message));
        return Outcome.RETRY;
      }
      if (remaining.left() > 0) {
        LOG.debugf(
            "event=definition-content-remaining definition=%s count=%d finalizers=%s",
            definition.name(), remaining.left(), remaining.finalizers());
        return Outcome.RETRY;
      }
    }
    return release(definition, COMPLETED, object -> true);
  }

  /** A served resource of the definition, in the stored version if that is served. */
  private Optional<GroupVersionResource> served(Definition definition) {
    @Nullable GroupVersionResource found = null;
    GroupResource resource = new GroupResource(definition.group(), definition.accepted().plural());
    for (ResourceDefinition row : catalog.snapshot().find(resource)) {
      if (row.custom() != null) {
        boolean stored = row.storage() != null && row.storage().written().kind().equals(row.gvk());
        found = found == null || stored ? row.gvr() : found;
      }
    }
    return Optional.ofNullable(found);
  }

  private void tell(Definition definition, DefinitionCondition condition) {
    Optional<ApiObject> unused =
        client.changeStatus(
            Definition.RESOURCE,
            "",
            definition.name(),
            sameDefinition(definition, object -> with(object, condition)));
  }

  /**
   * Sets the condition and removes the finalizer, with one write.
   *
   * @param stillRight whether the condition is true of the newest state
   */
  private Outcome release(
      Definition definition, DefinitionCondition condition, Predicate<ApiObject> stillRight) {
    Optional<ApiObject> left =
        client.changeStatus(
            Definition.RESOURCE,
            "",
            definition.name(),
            sameDefinition(
                definition,
                object -> stillRight.test(object) ? released(with(object, condition)) : object));
    if (left.isPresent() && isHeld(definition, left.get())) {
      // another server has established it meanwhile
      return Outcome.RETRY;
    }
    LOG.debugf("event=definition-released definition=%s", definition.name());
    return Outcome.DONE;
  }

  private static boolean isEstablished(ApiObject object) {
    return Definition.of(object).isTrue(DefinitionCondition.ESTABLISHED);
  }

  private static boolean isHeld(Definition definition, ApiObject object) {
    return object.meta().uid().equals(definition.uid())
        && object.meta().finalizers().contains(Definition.FINALIZER);
  }

  /** Edits the definition only if it is this one, and still being deleted. */
  private static UnaryOperator<ApiObject> sameDefinition(
      Definition definition, UnaryOperator<ApiObject> edit) {
    return object ->
        isHeld(definition, object) && object.meta().deleting() ? edit.apply(object) : object;
  }

  private ApiObject with(ApiObject object, DefinitionCondition condition) {
    String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    MapNode status = object.root().map("status");
    return object.with("status", condition.set(status, now));
  }

  private static ApiObject released(ApiObject object) {
    ObjectMeta meta = object.meta();
    List<String> kept = new ArrayList<>(meta.finalizers());
    kept.remove(Definition.FINALIZER);
    return object.withMeta(
        kept.isEmpty() ? meta.without("finalizers") : meta.with("finalizers", Node.texts(kept)));
  }
}
