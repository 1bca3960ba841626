package dev.keelson.quota;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A scope of a quota with its operator and values (source: {@code
 * ScopedResourceSelectorRequirement}).
 *
 * @param scope the name of the scope
 * @param operator In, NotIn, Exists or DoesNotExist
 * @param values the values of In and NotIn
 */
public record ScopeRequirement(String scope, String operator, List<String> values) {

  public static final String TERMINATING = "Terminating";
  public static final String NOT_TERMINATING = "NotTerminating";
  public static final String BEST_EFFORT = "BestEffort";
  public static final String NOT_BEST_EFFORT = "NotBestEffort";
  public static final String PRIORITY_CLASS = "PriorityClass";
  public static final String CROSS_NAMESPACE_POD_AFFINITY = "CrossNamespacePodAffinity";
  public static final String VOLUME_ATTRIBUTES_CLASS = "VolumeAttributesClass";

  private static final String EXISTS = "Exists";

  public ScopeRequirement {
    values = List.copyOf(values);
  }

  /** The requirement of a scope that a quota names without a selector. */
  public static ScopeRequirement exists(String scope) {
    return new ScopeRequirement(scope, EXISTS, List.of());
  }

  /** Returns the requirement that one of {@code matchExpressions} makes. */
  public static ScopeRequirement of(MapNode expression) {
    return new ScopeRequirement(
        expression.text("scopeName"), expression.text("operator"), texts(expression, "values"));
  }

  /** Returns the requirements of a quota: its scopes, then its scope selector. */
  public static List<ScopeRequirement> ofQuota(ApiObject quota) {
    MapNode spec = quota.root().map("spec");
    List<ScopeRequirement> all = new ArrayList<>();
    texts(spec, "scopes").forEach(scope -> all.add(exists(scope)));
    for (MapNode expression : spec.map("scopeSelector").maps("matchExpressions")) {
      all.add(of(expression));
    }
    return all;
  }

  private static List<String> texts(MapNode map, String field) {
    List<String> texts = new ArrayList<>();
    for (Node item : map.items(field)) {
      if (item instanceof Node.Text text) {
        texts.add(text.value());
      }
    }
    return texts;
  }

  boolean isExistence() {
    return operator.equals(EXISTS);
  }

  /** Whether {@code value}, null if there is none, meets the requirement, as a label would. */
  boolean accepts(@Nullable String value) {
    return switch (operator) {
      case EXISTS -> value != null;
      case "DoesNotExist" -> value == null;
      case "In" -> value != null && values.contains(value);
      case "NotIn" -> value == null || !values.contains(value);
      default -> false;
    };
  }

  /** The form of messages, as Go prints the struct: {@code {PriorityClass In [high]}}. */
  @Override
  public String toString() {
    return "{" + scope + " " + operator + " [" + String.join(" ", values) + "]}";
  }
}
