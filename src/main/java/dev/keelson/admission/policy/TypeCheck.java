package dev.keelson.admission.policy;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.cel.admission.PolicyCompiler;
import dev.keelson.cel.admission.PolicyCompiler.Sees;
import dev.keelson.cel.admission.PolicyExpression;
import dev.keelson.cel.admission.ResultType;
import dev.keelson.cel.type.DataType;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Checks the expressions of a validating policy against the types of the objects that it names
 * (source: validating/typechecking.go). What does not fit is a warning in the policy's status and
 * does not change how the policy works. Safe for use by several threads.
 */
public final class TypeCheck {

  private static final int MOST_TYPES = 10;

  private final ResourceCatalog catalog;

  /** A check against the types of a catalog. */
  public TypeCheck(ResourceCatalog catalog) {
    this.catalog = catalog;
  }

  /**
   * The value of {@code status.typeChecking} for a policy.
   *
   * @param spec the policy's spec
   */
  public MapNode check(MapNode spec) {
    List<ResourceDefinition> types = types(spec);
    DataType params = params(spec);
    List<Node> warnings = new ArrayList<>();
    List<MapNode> validations = Node.maps(spec.items("validations"));
    for (int i = 0; i < validations.size(); i++) {
      for (String field : List.of("expression", "messageExpression")) {
        String text = validations.get(i).text(field);
        String warning = text.isEmpty() ? "" : warning(spec, types, params, text);
        if (!warning.isEmpty()) {
          warnings.add(
              MapNode.of("fieldRef", Node.text("spec.validations[" + i + "]." + field))
                  .with("warning", Node.text(warning)));
        }
      }
    }
    return warnings.isEmpty()
        ? MapNode.EMPTY
        : MapNode.of("expressionWarnings", new Node.Items(warnings));
  }

  private static String warning(
      MapNode spec, List<ResourceDefinition> types, @Nullable DataType params, String text) {
    List<String> problems = new ArrayList<>();
    for (ResourceDefinition type : types) {
      PolicyCompiler compiler =
          PolicyCompiler.typed(ObjectTypes.of(type.schema(), type.kind()), params);
      EnumSet<Sees> sees = EnumSet.of(Sees.AUTHORIZER);
      if (params != null) {
        sees.add(Sees.PARAMS);
      }
      for (MapNode variable : Node.maps(spec.items("variables"))) {
        PolicyExpression unused =
            compiler.variable(variable.text("name"), variable.text("expression"), sees);
      }
      String problem = compiler.compile(text, ResultType.ANY, sees).error();
      if (!problem.isEmpty()) {
        String stage = "compilation failed: ";
        problems.add(
            type.gvk().group()
                + "/"
                + type.gvk().version()
                + ", Kind="
                + type.kind()
                + ": "
                + (problem.startsWith(stage) ? problem.substring(stage.length()) : problem)
                + "\n");
      }
    }
    return String.join("\n", problems);
  }

  /** The types that the rules name without wildcards, at most ten a rule. */
  private List<ResourceDefinition> types(MapNode spec) {
    TreeMap<GroupVersionKind, ResourceDefinition> found =
        new TreeMap<>(
            Comparator.comparing(GroupVersionKind::group)
                .thenComparing(GroupVersionKind::version)
                .thenComparing(GroupVersionKind::kind));
    for (MapNode rule : Node.maps(spec.map("matchConstraints").items("resourceRules"))) {
      int count = 0;
      for (String group : named(rule, "apiGroups")) {
        for (String version : named(rule, "apiVersions")) {
          for (String resource : resources(rule)) {
            Optional<ResourceDefinition> type =
                catalog.current().find(new GroupVersionResource(group, version, resource));
            if (type.isPresent()) {
              found.put(type.get().gvk(), type.get());
              if (++count == MOST_TYPES) {
                return List.copyOf(found.values());
              }
            }
          }
        }
      }
    }
    return List.copyOf(found.values());
  }

  /** The sorted words of a rule; none if one of them is a wildcard. */
  private static List<String> named(MapNode rule, String field) {
    List<String> words = texts(rule, field);
    return words.stream().anyMatch(word -> word.contains("*")) ? List.of() : words;
  }

  private static List<String> resources(MapNode rule) {
    return texts(rule, "resources").stream()
        .filter(word -> !word.contains("*") && !word.contains("/"))
        .toList();
  }

  private static List<String> texts(MapNode rule, String field) {
    return rule.items(field).stream()
        .map(value -> value instanceof Node.Text text ? text.value() : "")
        .sorted()
        .toList();
  }

  private @Nullable DataType params(MapNode spec) {
    if (!spec.has("paramKind")) {
      return null;
    }
    MapNode kind = spec.map("paramKind");
    String apiVersion = kind.text("apiVersion");
    int slash = apiVersion.indexOf('/');
    return catalog
        .current()
        .find(
            new GroupVersionKind(
                slash < 0 ? "" : apiVersion.substring(0, slash),
                apiVersion.substring(slash + 1),
                kind.text("kind")))
        .map(type -> ObjectTypes.of(type.schema(), "params." + type.kind()))
        .orElse(null);
  }
}
