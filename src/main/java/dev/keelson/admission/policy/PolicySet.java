package dev.keelson.admission.policy;

import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.match.Equivalents;
import dev.keelson.admission.match.Matched;
import dev.keelson.admission.match.ResourceMatcher;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Verb;
import dev.keelson.schema.ResourceCatalog;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The bound policies at one moment, in the order of their names. Those that may match an operation
 * on a resource are found once, and again when the catalog of resources changes.
 */
final class PolicySet {

  static final PolicySet EMPTY = new PolicySet(List.of());

  private final List<PolicyHook> hooks;
  private final Map<Operation, Candidates> index = new ConcurrentHashMap<>();

  PolicySet(List<PolicyHook> hooks) {
    this.hooks = List.copyOf(hooks);
  }

  private record Operation(Verb verb, GroupVersionResource resource, String subresource) {}

  /**
   * The policies that may match.
   *
   * @param generation of the catalog
   */
  record Candidates(long generation, List<PolicyHook> hooks, List<Matched> equivalents) {}

  private static final Candidates NONE = new Candidates(0, List.of(), List.of());

  List<PolicyHook> hooks() {
    return hooks;
  }

  Candidates candidates(AdmissionAttributes call, ResourceCatalog.Snapshot catalog) {
    if (hooks.isEmpty()) {
      return NONE;
    }
    Operation operation =
        new Operation(call.operation(), call.definition().gvr(), call.subresource());
    Candidates known = index.get(operation);
    if (known == null || known.generation != catalog.generation()) {
      known = found(call, catalog);
      index.put(operation, known);
    }
    return known;
  }

  private Candidates found(AdmissionAttributes call, ResourceCatalog.Snapshot catalog) {
    List<Matched> equivalents = Equivalents.of(call.definition(), call.subresource(), catalog);
    List<PolicyHook> matching = new ArrayList<>();
    for (PolicyHook hook : hooks) {
      ResourceMatcher constraints = hook.constraints();
      if (constraints != null
          && constraints
              .rules(call.operation(), call.definition(), call.subresource(), equivalents)
              .isPresent()) {
        matching.add(hook);
      }
    }
    return new Candidates(catalog.generation(), List.copyOf(matching), equivalents);
  }
}
