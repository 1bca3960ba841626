package dev.keelson.flow.rule;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.UserInfo;
import java.util.Comparator;
import java.util.List;

/**
 * A FlowSchema: which requests go to a priority level, and which of them are one flow.
 *
 * @param uid of the object; empty if this server supplied a missing one
 * @param level the name of the priority level
 * @param precedence the first of those that match counts, the lowest number first
 */
public record FlowSchema(
    String name,
    String uid,
    String level,
    long precedence,
    Distinguisher distinguisher,
    List<PolicyRule> rules) {

  /** The name of the mandatory one for {@code system:masters}. */
  public static final String EXEMPT = "exempt";

  /** The name of the mandatory one for all that no other matches. */
  public static final String CATCH_ALL = "catch-all";

  /** The order in which they are asked: by precedence, then by name. */
  public static final Comparator<FlowSchema> ORDER =
      Comparator.comparingLong(FlowSchema::precedence).thenComparing(FlowSchema::name);

  /** What tells the flows of a schema apart. */
  public enum Distinguisher {
    /** All requests are one flow. */
    NONE,
    BY_USER,
    BY_NAMESPACE
  }

  public FlowSchema {
    rules = List.copyOf(rules);
  }

  /** Reads an object, whose fields have been validated. */
  public static FlowSchema of(ApiObject object) {
    return of(object.meta().name(), object.meta().uid(), object.root().map("spec"));
  }

  /** Reads a spec. */
  public static FlowSchema of(String name, String uid, MapNode spec) {
    return new FlowSchema(
        name,
        uid,
        spec.map("priorityLevelConfiguration").text("name"),
        spec.get("matchingPrecedence") instanceof Node.Int number ? number.value() : 0,
        switch (spec.map("distinguisherMethod").text("type")) {
          case "ByUser" -> Distinguisher.BY_USER;
          case "ByNamespace" -> Distinguisher.BY_NAMESPACE;
          default -> Distinguisher.NONE;
        },
        spec.maps("rules").stream().map(PolicyRule::of).toList());
  }

  /** Whether any rule matches. */
  public boolean matches(UserInfo user, RequestInfo request) {
    for (PolicyRule rule : rules) {
      if (rule.matches(user, request)) {
        return true;
      }
    }
    return false;
  }

  /** What tells the request's flow from others of this schema; may be empty. */
  public String flowOf(UserInfo user, RequestInfo request) {
    return switch (distinguisher) {
      case NONE -> "";
      case BY_USER -> user.name();
      case BY_NAMESPACE ->
          request instanceof RequestInfo.Resource resource ? resource.namespace() : "";
    };
  }
}
