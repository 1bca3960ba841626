package dev.keelson.quota;

import dev.keelson.api.GroupResource;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Measures what the objects of one type count against quotas (source: {@code quota.Evaluator}).
 * Stateless; safe for use by several threads. Objects are in the stored version.
 */
public interface Evaluator {

  /** The type. */
  GroupResource resource();

  /**
   * Whether a write may raise the usage of quotas.
   *
   * @param operation CREATE or UPDATE
   * @param subresource the subresource, or empty
   * @param object the object to store
   * @param old the stored object; null for a create
   */
  boolean handles(
      Verb operation, String subresource, @Nullable ApiObject object, @Nullable ApiObject old);

  /** Returns those of {@code names} whose usage objects of this type count for. */
  List<String> matchingResources(Collection<String> names);

  /** Whether the type has scopes; without them, no object meets a requirement. */
  default boolean hasScopes() {
    return false;
  }

  /** Whether {@code object} meets the requirement. */
  default boolean matches(ScopeRequirement requirement, ApiObject object) {
    return false;
  }

  /**
   * Says which of the required resources {@code object} does not specify, as in {@code must specify
   * limits.cpu for: main}; empty if it specifies all that it must.
   */
  default String missing(Collection<String> required, ApiObject object) {
    return "";
  }

  /** Returns what {@code object} counts. */
  ResourceList usage(ApiObject object);

  /** Whether a change of a stored object may lower usage, so that quotas are recalculated. */
  default boolean replenishes(ApiObject before, ApiObject after) {
    return false;
  }

  /** Whether the usage of an object is the same for all objects of the type. */
  default boolean countsOnly() {
    return false;
  }

  /** Whether {@code object} is in the scope of a quota with these requirements. */
  default boolean inScope(List<ScopeRequirement> requirements, ApiObject object) {
    for (ScopeRequirement requirement : requirements) {
      if (!matches(requirement, object)) {
        return false;
      }
    }
    return true;
  }

  /** The name of the quota on the number of objects of a type: {@code count/deployments.apps}. */
  static String countName(GroupResource resource) {
    return "count/" + resource;
  }
}
