package dev.keelson.admission.quota;

import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.quota.Evaluator;
import dev.keelson.quota.Quota;
import dev.keelson.quota.ResourceList;
import dev.keelson.quota.ScopeRequirement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Checks one write against quotas (source: {@code resourcequota.CheckRequest} of apiserver, whose
 * order of checks and messages this has).
 */
final class QuotaRequest {

  private final AdmissionAttributes call;
  private final ApiObject object;
  private final Evaluator evaluator;
  private final List<LimitedResource> limited;

  /** The object's usage, measured once: it does not depend on the quotas. */
  private final ResourceList usage;

  QuotaRequest(
      AdmissionAttributes call,
      ApiObject object,
      Evaluator evaluator,
      List<LimitedResource> limited) {
    this.call = call;
    this.object = object;
    this.evaluator = evaluator;
    this.limited = limited;
    this.usage = evaluator.usage(object);
  }

  AdmissionAttributes call() {
    return call;
  }

  /**
   * Returns the quotas with the usage that the write would leave; the same list if it has no effect
   * on them.
   *
   * @throws ApiException of reason Forbidden if a quota does not allow the write
   */
  List<Quota> check(List<Quota> quotas) {
    List<Integer> covering = new ArrayList<>();
    Set<String> restricted = new TreeSet<>();
    List<ScopeRequirement> quotaScopes = new ArrayList<>();
    for (int i = 0; i < quotas.size(); i++) {
      Quota quota = quotas.get(i);
      quotaScopes.addAll(matching(quota.requirements()));
      if (quota.covers(evaluator, object)) {
        covering.add(i);
        restricted.addAll(restricted(quota));
      }
    }
    List<String> negative = usage.negative();
    if (!negative.isEmpty()) {
      throw forbidden("quota usage is negative for resource(s): " + String.join(",", negative));
    }
    Map<Integer, ResourceList> increases = increases(quotas, covering);
    if (increases.isEmpty() && (!covering.isEmpty() || increase().isEmpty())) {
      return quotas;
    }
    requireCover(restricted, quotaScopes);
    return increases.isEmpty() ? quotas : charged(quotas, increases);
  }

  /** The names that {@code quota} restricts for the object. */
  private Collection<String> restricted(Quota quota) {
    List<String> names = evaluator.matchingResources(quota.hard().names());
    String missing = evaluator.missing(names, object);
    if (!missing.isEmpty()) {
      throw forbidden("failed quota: " + quota.name() + ": " + missing);
    }
    if (!quota.used().names().containsAll(names)) {
      throw forbidden(
          "status unknown for quota: "
              + quota.name()
              + ", resources: "
              + String.join(",", new TreeSet<>(names)));
    }
    return names;
  }

  private List<ScopeRequirement> matching(List<ScopeRequirement> requirements) {
    return requirements.stream().filter(each -> evaluator.matches(each, object)).toList();
  }

  /** What the write adds to each of the covering quotas, if it adds something. */
  private Map<Integer, ResourceList> increases(List<Quota> quotas, List<Integer> covering) {
    Map<Integer, ResourceList> increases = new HashMap<>();
    ApiObject current = call.current();
    for (Integer index : covering) {
      // an object that comes into the scope of a quota counts as a whole
      boolean counted =
          call.operation() == Verb.UPDATE
              && current != null
              && quotas.get(index).covers(evaluator, current);
      ResourceList increase = counted ? increase() : usage.withoutZeros();
      if (!increase.isEmpty()) {
        increases.put(index, increase);
      }
    }
    return increases;
  }

  /** What the write adds to what its object counted before. */
  private ResourceList increase() {
    ApiObject current = call.current();
    return call.operation() == Verb.UPDATE && current != null
        ? usage.increaseOver(evaluator.usage(current)).withoutZeros()
        : usage.withoutZeros();
  }

  /** Requires quotas for limited resources and scopes. */
  private void requireCover(Set<String> restricted, List<ScopeRequirement> quotaScopes) {
    Set<String> uncovered = new TreeSet<>();
    List<ScopeRequirement> uncoveredScopes = new ArrayList<>();
    for (LimitedResource each : limited) {
      if (each.resource().equals(call.definition().groupResource())) {
        uncovered.addAll(each.limited(usage));
      }
      if (evaluator.hasScopes()) {
        for (ScopeRequirement scope : matching(each.matchScopes())) {
          if (quotaScopes.stream().noneMatch(known -> known.scope().equals(scope.scope()))) {
            uncoveredScopes.add(scope);
          }
        }
      }
    }
    uncovered.removeAll(restricted);
    if (!uncovered.isEmpty()) {
      throw forbidden("insufficient quota to consume: " + String.join(",", uncovered));
    }
    if (!uncoveredScopes.isEmpty()) {
      // kube-apiserver gives this error no reason
      throw new ApiException(
          Reason.UNKNOWN,
          "insufficient quota to match these scopes: ["
              + String.join(" ", uncoveredScopes.stream().map(ScopeRequirement::toString).toList())
              + "]");
    }
  }

  private List<Quota> charged(List<Quota> quotas, Map<Integer, ResourceList> increases) {
    List<Quota> next = new ArrayList<>(quotas);
    for (int i = 0; i < next.size(); i++) {
      ResourceList increase = increases.get(i);
      if (increase == null) {
        continue;
      }
      Quota quota = next.get(i);
      ResourceList requested = increase.masked(quota.hard().names());
      ResourceList used = quota.used().plus(requested);
      List<String> exceeded = used.masked(requested.names()).exceeding(quota.hard());
      // the status tells what is, so that it cannot be refused
      if (!exceeded.isEmpty() && !call.subresource().equals("status")) {
        throw forbidden(
            "exceeded quota: "
                + quota.name()
                + ", requested: "
                + requested.masked(exceeded)
                + ", used: "
                + quota.used().masked(exceeded)
                + ", limited: "
                + quota.hard().masked(exceeded));
      }
      next.set(i, quota.withUsed(used));
    }
    return next;
  }

  private ApiException forbidden(String why) {
    return call.forbidden(why);
  }
}
