package dev.keelson.schema.conversion;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Int;
import dev.keelson.object.Node.MapNode;
import java.util.function.UnaryOperator;

/**
 * PriorityLevelConfigurations of the versions before flowcontrol.apiserver.k8s.io/v1: the shares of
 * a limited level had another name up to v1beta2, and 0 meant the default in all of them, except
 * for objects of v1beta3 with an annotation.
 */
final class PriorityLevelConversion {

  private static final String SHARES = "nominalConcurrencyShares";
  private static final String PRESERVE_ZERO =
      "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares";
  private static final Node DEFAULT_SHARES = new Int(30);

  private PriorityLevelConversion() {}

  static MapNode ofAssuredShares(MapNode old) {
    return ofNominalShares(
        limited(old, limited -> Edits.renamed(limited, "assuredConcurrencyShares", SHARES)));
  }

  static MapNode ofNominalShares(MapNode old) {
    if (old.map("metadata").map("annotations").has(PRESERVE_ZERO)) {
      // v1 refuses objects with the annotation
      return Edits.withoutAnnotation(old, PRESERVE_ZERO);
    }
    return limited(
        old,
        limited ->
            limited.get(SHARES) instanceof Int shares && shares.value() != 0
                ? limited
                : limited.with(SHARES, DEFAULT_SHARES));
  }

  private static MapNode limited(MapNode root, UnaryOperator<MapNode> edit) {
    return Edits.edited(root, "spec", spec -> Edits.edited(spec, "limited", edit));
  }
}
