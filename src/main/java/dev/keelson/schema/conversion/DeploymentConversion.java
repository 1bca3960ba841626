package dev.keelson.schema.conversion;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Int;
import dev.keelson.object.Node.MapNode;
import java.util.List;

/**
 * Deployments of extensions/v1beta1 and apps/v1: the revision to roll back to is a field of the old
 * version and an annotation of the new one; the old one may leave out its selector.
 */
enum DeploymentConversion implements VersionConversion {
  INSTANCE;

  private static final String ROLLBACK_TO = "deprecated.deployment.rollback.to";

  @Override
  public MapNode toNew(MapNode old) {
    MapNode root = Edits.withSelector(old);
    Node rollback = root.at("spec", "rollbackTo");
    if (rollback == null) {
      return root;
    }
    root = Edits.edited(root, "spec", spec -> spec.without("rollbackTo"));
    return rollback instanceof MapNode target
        ? Edits.withAnnotation(root, ROLLBACK_TO, Long.toString(revision(target)))
        : root;
  }

  @Override
  public MapNode toOld(MapNode current) {
    // an annotation that is not such a number is a user's, and stays
    Long revision = Edits.number(Edits.annotation(current, ROLLBACK_TO));
    if (revision == null) {
      return current;
    }
    MapNode target = revision == 0 ? MapNode.EMPTY : MapNode.of("revision", new Int(revision));
    return Edits.withoutAnnotation(current, ROLLBACK_TO)
        .withAt(List.of("spec", "rollbackTo"), target);
  }

  private static long revision(MapNode target) {
    return target.get("revision") instanceof Int number ? number.value() : 0;
  }
}
