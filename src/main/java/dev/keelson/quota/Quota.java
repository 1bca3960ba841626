package dev.keelson.quota;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.util.List;

/**
 * A ResourceQuota as far as admission and the controller need it.
 *
 * @param revision the resourceVersion as a number
 * @param requirements the scopes and the scope selector
 * @param wanted {@code spec.hard}
 * @param hard {@code status.hard}, which is enforced
 * @param used {@code status.used}
 */
public record Quota(
    String namespace,
    String name,
    String uid,
    long revision,
    List<ScopeRequirement> requirements,
    ResourceList wanted,
    ResourceList hard,
    ResourceList used) {

  public Quota {
    requirements = List.copyOf(requirements);
  }

  /** Returns what {@code object}, a ResourceQuota of {@code revision}, says. */
  public static Quota of(ApiObject object, long revision) {
    MapNode status = object.root().map("status");
    return new Quota(
        object.meta().namespace(),
        object.meta().name(),
        object.meta().uid(),
        revision,
        ScopeRequirement.ofQuota(object),
        ResourceList.of(object.root().map("spec").map("hard")),
        ResourceList.of(status.map("hard")),
        ResourceList.of(status.map("used")));
  }

  /** Returns the quota with another usage. */
  public Quota withUsed(ResourceList next) {
    return new Quota(namespace, name, uid, revision, requirements, wanted, hard, next);
  }

  /** Whether objects of the evaluator's type count for it and {@code object} is in its scope. */
  public boolean covers(Evaluator evaluator, ApiObject object) {
    return !evaluator.matchingResources(hard.names()).isEmpty()
        && evaluator.inScope(requirements, object);
  }
}
