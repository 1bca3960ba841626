package dev.keelson.registry.subresource;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.FieldCause;
import dev.keelson.api.GroupResource;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.LabelSelector;
import dev.keelson.api.Reason;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.Collection;
import dev.keelson.registry.StoredObject;
import dev.keelson.registry.Timestamps;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.registry.read.ListPage;
import dev.keelson.registry.read.ListQuery;
import dev.keelson.registry.write.DeleteQuery;
import dev.keelson.registry.write.Deleted;
import dev.keelson.registry.write.Deletion;
import dev.keelson.registry.write.ObjectPart;
import dev.keelson.registry.write.UpdateFunction;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Deletes a pod as far as its PodDisruptionBudget allows (source: kube-apiserver's eviction). The
 * budget is decremented before the pod is deleted, so that concurrent evictions cannot exceed it.
 */
public final class PodEviction {

  private static final GroupResource BUDGET = new GroupResource("policy", "poddisruptionbudget");
  private static final GroupVersionKind POD = GroupVersion.CORE_V1.kind("Pod");
  private static final int MOST_DISRUPTED = 2000;
  private static final int ATTEMPTS = 20;
  private static final int RETRY_SECONDS = 10;
  private static final Set<String> WITHOUT_BUDGET = Set.of("Succeeded", "Failed", "Pending");
  private static final String REFUSAL =
      "Cannot evict pod as it would violate the pod's disruption budget.";

  private final GenericRegistry registry;
  private final ResourceCatalog catalog;
  private final Timestamps timestamps;

  public PodEviction(GenericRegistry registry, ResourceCatalog catalog, InstantSource clock) {
    this.registry = registry;
    this.catalog = catalog;
    this.timestamps = new Timestamps(clock);
  }

  /**
   * Runs admission for an eviction of the pod {@code name}, which then needs none for its steps.
   *
   * @return the Eviction as mutating admission has made it
   * @throws ApiException if a plugin rejects it
   */
  public ApiObject admit(Collection pods, String name, ApiObject eviction, WriteOptions options) {
    return registry.admitUnstored(Verb.CREATE, pods, "eviction", name, eviction, options);
  }

  /**
   * Evicts the pod {@code name}.
   *
   * @param query how the pod is to be deleted
   * @throws ApiException of reason NotFound; TooManyRequests if the budget does not allow it now;
   *     Conflict if the pod is not the one that the query names
   */
  public void evict(Collection pods, String name, DeleteQuery query, WriteOptions admitted) {
    WriteOptions options = admitted.unadmitted();
    Optional<ApiObject> running = deleteUnguarded(pods, name, query, options);
    if (running.isPresent()) {
      evict(pods, running.get(), query, options);
    }
  }

  /**
   * Deletes a pod that no budget has a say in. Once a budget was counted down nothing is tried
   * again, since each attempt would count it down.
   *
   * @return the pod if it is not deleted, because its budget has a say
   */
  private Optional<ApiObject> deleteUnguarded(
      Collection pods, String name, DeleteQuery query, WriteOptions options) {
    for (int attempt = 1; ; attempt++) {
      ApiObject pod = registry.stored(registry.get(pods, name));
      boolean deleting = pod.meta().deleting();
      String phase = pod.root().map("status").text("phase");
      if (!WITHOUT_BUDGET.contains(phase) && !deleting) {
        return Optional.of(pod);
      }
      boolean mayBecomeReady = phase.equals("Pending") && !deleting;
      try {
        delete(pods, name, mayBecomeReady ? exactly(query, pod) : query, options);
        return Optional.empty();
      } catch (ApiException e) {
        // the pod changed between the check and its deletion
        boolean again = e.reason() == Reason.CONFLICT && query.resourceVersion() == null;
        if (!again || attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private void evict(Collection pods, ApiObject pod, DeleteQuery query, WriteOptions options) {
    String name = pod.meta().name();
    List<ApiObject> budgets = budgets(pods, pod);
    if (budgets.size() > 1) {
      throw new ApiException(
          Reason.UNKNOWN,
          "This pod has more than one PodDisruptionBudget, which the eviction subresource does not"
              + " support.");
    }
    if (budgets.isEmpty()) {
      delete(pods, name, query, options);
      return;
    }
    ApiObject budget = budgets.get(0);
    if (!isReady(pod) && mayGoUnready(budget)) {
      deleteUnready(pods, pod, budget, query, options);
      return;
    }
    StoredObject unused =
        registry.edit(
            budgets(pods.namespace()),
            budget.meta().name(),
            ObjectPart.STATUS,
            current -> countedDown(current, name),
            options.asServer());
    delete(pods, name, query, options);
  }

  private void deleteUnready(
      Collection pods, ApiObject pod, ApiObject budget, DeleteQuery query, WriteOptions options) {
    try {
      delete(pods, pod.meta().name(), exactly(query, pod), options);
    } catch (ApiException e) {
      if (e.reason() == Reason.CONFLICT && query.resourceVersion() == null) {
        // it may have become ready, and then counts against the budget
        throw beingProcessed(budget);
      }
      throw e;
    }
  }

  /** Deletes the pod after it has the condition DisruptionTarget, which controllers read. */
  private void delete(Collection pods, String name, DeleteQuery query, WriteOptions options) {
    DeleteQuery conditions = query;
    if (!options.dryRun()) {
      StoredObject marked =
          registry.edit(
              pods,
              name,
              ObjectPart.STATUS,
              UpdateFunction.untracked(pod -> disrupted(pod, query)),
              options);
      conditions = query.following(marked.revision());
    }
    Deleted unused = registry.delete(pods, name, conditions, options);
  }

  private ApiObject disrupted(ApiObject pod, DeleteQuery query) {
    Deletion.checkPreconditions(
        POD, pod.meta().name(), query, pod.meta(), pod.meta().resourceVersion());
    MapNode condition =
        MapNode.builder(5)
            .put("type", Node.text("DisruptionTarget"))
            .put("status", Node.text("True"))
            .put("lastTransitionTime", Node.text(timestamps.now()))
            .put("reason", Node.text("EvictionByEvictionAPI"))
            .put("message", Node.text("Eviction API: evicting"))
            .build();
    return pod.with("status", StatusConditions.set(pod.root().map("status"), condition));
  }

  private static DeleteQuery exactly(DeleteQuery query, ApiObject pod) {
    return query.resourceVersion() == null
        ? new DeleteQuery(
            query.uid(), pod.meta().resourceVersion(), query.graceSeconds(), query.propagation())
        : query;
  }

  private Collection budgets(String namespace) {
    ResourceDefinition definition =
        catalog
            .snapshot()
            .find(new GroupVersion("policy", "v1").resource("poddisruptionbudgets"))
            .orElseThrow(() -> new IllegalStateException("no poddisruptionbudgets are served"));
    return new Collection(definition, namespace);
  }

  private List<ApiObject> budgets(Collection pods, ApiObject pod) {
    List<ApiObject> matching = new ArrayList<>();
    Map<String, String> labels = pod.meta().labels();
    for (StoredObject stored :
        registry.list(budgets(pods.namespace()), ListQuery.ALL, ListPage.WHOLE).all()) {
      ApiObject budget = registry.stored(stored);
      MapNode spec = budget.root().map("spec");
      @Nullable String selector = ObjectSelector.text(spec.map("selector")).orElse(null);
      if (spec.has("selector")
          && selector != null
          && LabelSelector.parse(selector).matches(labels)) {
        matching.add(budget);
      }
    }
    return matching;
  }

  private static boolean isReady(ApiObject pod) {
    for (Node item : pod.root().map("status").items("conditions")) {
      if (item instanceof MapNode condition && condition.text("type").equals("Ready")) {
        return condition.text("status").equals("True");
      }
    }
    return false;
  }

  private static boolean mayGoUnready(ApiObject budget) {
    if (budget.root().map("spec").text("unhealthyPodEvictionPolicy").equals("AlwaysAllow")) {
      return true;
    }
    MapNode status = budget.root().map("status");
    long desired = number(status, "desiredHealthy");
    return desired > 0 && number(status, "currentHealthy") >= desired;
  }

  private ApiObject countedDown(ApiObject budget, String pod) {
    MapNode status = budget.root().map("status");
    String name = budget.meta().name();
    if (number(status, "observedGeneration") < budget.meta().generation()) {
      throw beingProcessed(budget);
    }
    long allowed = number(status, "disruptionsAllowed");
    if (allowed < 0) {
      throw ApiException.forbidden(BUDGET, name, "pdb disruptions allowed is negative");
    }
    if (status.map("disruptedPods").size() > MOST_DISRUPTED) {
      throw ApiException.forbidden(
          BUDGET,
          name,
          "DisruptedPods map too big - too many evictions not confirmed by PDB controller");
    }
    if (allowed == 0) {
      throw refusal(0, usedUp(name, status));
    }
    MapNode next =
        status
            .with("disruptionsAllowed", new Node.Int(allowed - 1))
            .with(
                "disruptedPods",
                status.map("disruptedPods").with(pod, Node.text(timestamps.now())));
    return budget.with("status", allowed == 1 ? withoutAllowance(next) : next);
  }

  private static String usedUp(String name, MapNode status) {
    String refusal = "The disruption budget " + name + " does not allow evicting pods currently";
    MapNode why = failed(status);
    // the numbers of a failed sync are not to be relied on
    if (why.text("reason").equals("SyncFailed")) {
      return refusal + " because it failed sync: " + why.text("message");
    }
    long desired = number(status, "desiredHealthy");
    long current = number(status, "currentHealthy");
    if (current <= desired) {
      return "The disruption budget "
          + name
          + " needs "
          + desired
          + " healthy pods and has "
          + current
          + " currently";
    }
    return why.isEmpty()
        ? refusal
        : refusal + " (" + why.text("reason") + "): " + why.text("message");
  }

  /** The condition that says why disruptions are not allowed; empty if there is no such message. */
  private static MapNode failed(MapNode status) {
    for (MapNode condition : status.maps("conditions")) {
      if (condition.text("type").equals("DisruptionAllowed")) {
        return condition.text("status").equals("False") && !condition.text("message").isEmpty()
            ? condition
            : MapNode.EMPTY;
      }
    }
    return MapNode.EMPTY;
  }

  private MapNode withoutAllowance(MapNode status) {
    MapNode condition =
        MapNode.builder(6)
            .put("type", Node.text("DisruptionAllowed"))
            .put("status", Node.text("False"))
            .put("observedGeneration", new Node.Int(number(status, "observedGeneration")))
            .put("lastTransitionTime", Node.text(timestamps.now()))
            .put("reason", Node.text("InsufficientPods"))
            .put("message", Node.text(""))
            .build();
    return StatusConditions.set(status, condition);
  }

  private static ApiException beingProcessed(ApiObject budget) {
    return refusal(
        RETRY_SECONDS,
        "The disruption budget "
            + budget.meta().name()
            + " is still being processed by the server.");
  }

  private static ApiException refusal(int retrySeconds, String detail) {
    FieldCause cause = new FieldCause("DisruptionBudget", detail, "");
    return new ApiException(
        Reason.TOO_MANY_REQUESTS,
        REFUSAL,
        ErrorDetails.NONE.withCauses(List.of(cause)).withRetryAfterSeconds(retrySeconds),
        null);
  }

  private static long number(MapNode status, String field) {
    return status.get(field) instanceof Node.Int number ? number.value() : 0;
  }
}
