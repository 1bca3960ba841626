package dev.keelson.schema.conversion;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.Node.Text;
import java.util.List;

/**
 * PodDisruptionBudgets of policy/v1beta1: an empty selector selected no pod there and selects all
 * in policy/v1, so that a label that no pod has tells the two apart.
 */
final class DisruptionBudgetConversion {

  private static final String LABEL = "pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match";
  private static final Node NO_POD = requirement("Exists");
  private static final Node ALL_PODS = requirement("DoesNotExist");

  private DisruptionBudgetConversion() {}

  private static Node requirement(String operator) {
    return MapNode.of("key", new Text(LABEL)).with("operator", new Text(operator));
  }

  static MapNode toNew(MapNode old) {
    return Edits.edited(
        old,
        "spec",
        spec -> Edits.edited(spec, "selector", DisruptionBudgetConversion::newSelector));
  }

  private static MapNode newSelector(MapNode old) {
    List<Node> expressions = old.items("matchExpressions");
    if (old.map("matchLabels").isEmpty()) {
      if (expressions.isEmpty()) {
        return MapNode.of("matchExpressions", new Items(List.of(NO_POD)));
      }
      if (expressions.equals(List.of(ALL_PODS))) {
        return MapNode.EMPTY;
      }
    }
    List<Node> rest =
        expressions.stream()
            .filter(each -> !(each instanceof MapNode map && map.text("key").equals(LABEL)))
            .toList();
    return rest.isEmpty()
        ? old.without("matchExpressions")
        : old.with("matchExpressions", new Items(rest));
  }
}
