package dev.keelson.admission.match;

import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Verb;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A rule of a webhook or a policy: operations on resources.
 *
 * @param scope {@code Cluster}, {@code Namespaced}, or any other for both
 * @param names the names of the objects; empty for all
 */
public record ResourceRule(
    Set<String> groups,
    Set<String> versions,
    Set<String> resources,
    Set<String> operations,
    String scope,
    Set<String> names) {

  private static final String ANY = "*";

  public ResourceRule {
    groups = Set.copyOf(groups);
    versions = Set.copyOf(versions);
    resources = Set.copyOf(resources);
    operations = Set.copyOf(operations);
    names = Set.copyOf(names);
  }

  /** Reads rules of a webhook or a policy. */
  static List<ResourceRule> of(List<Node> rules) {
    return Node.maps(rules).stream().map(ResourceRule::of).toList();
  }

  private static ResourceRule of(MapNode rule) {
    return new ResourceRule(
        texts(rule, "apiGroups"),
        texts(rule, "apiVersions"),
        texts(rule, "resources"),
        texts(rule, "operations"),
        rule.text("scope"),
        texts(rule, "resourceNames"));
  }

  private static Set<String> texts(MapNode rule, String field) {
    Set<String> texts = new HashSet<>();
    for (Node value : rule.items(field)) {
      if (value instanceof Node.Text text) {
        texts.add(text.value());
      }
    }
    return texts;
  }

  /**
   * Whether the rule is for an operation on a resource, whatever the object.
   *
   * @param clusterScoped whether its objects have no namespace
   */
  boolean covers(
      Verb operation, GroupVersionResource resource, String subresource, boolean clusterScoped) {
    return has(operations, operation.name())
        && (clusterScoped ? !scope.equals("Namespaced") : !scope.equals("Cluster"))
        && has(groups, resource.group())
        && has(versions, resource.version())
        && coversResource(resource.resource(), subresource);
  }

  private boolean coversResource(String resource, String subresource) {
    if (subresource.isEmpty()) {
      return resources.contains(resource)
          || resources.contains(ANY)
          || resources.contains("*/*")
          || resources.contains(resource + "/*");
    }
    return resources.contains(resource + "/" + subresource)
        || resources.contains("*/" + subresource)
        || resources.contains("*/*")
        || resources.contains(resource + "/*");
  }

  private static boolean has(Set<String> known, String word) {
    return known.contains(word) || known.contains(ANY);
  }

  /** Whether the rule is for objects of a name. */
  boolean isFor(String name) {
    return names.isEmpty() || names.contains(name);
  }
}
