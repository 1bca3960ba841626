package dev.keelson.schema.conversion;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Int;
import dev.keelson.object.Node.MapNode;
import java.util.List;

/**
 * DaemonSets of extensions/v1beta1 and apps/v1: the template's generation is a field of the old
 * version and an annotation of the new one; the old one may leave out its selector.
 */
enum DaemonSetConversion implements VersionConversion {
  INSTANCE;

  private static final String GENERATION = "deprecated.daemonset.template.generation";

  @Override
  public MapNode toNew(MapNode old) {
    MapNode root = Edits.withSelector(old);
    Node generation = root.at("spec", "templateGeneration");
    if (generation == null) {
      return root;
    }
    root = Edits.edited(root, "spec", spec -> spec.without("templateGeneration"));
    // zero is the field's way not to be set
    return generation instanceof Int number && number.value() != 0
        ? Edits.withAnnotation(root, GENERATION, Long.toString(number.value()))
        : root;
  }

  @Override
  public MapNode toOld(MapNode current) {
    // an annotation that is not such a number is a user's, and stays
    Long generation = Edits.number(Edits.annotation(current, GENERATION));
    return generation == null || generation == 0
        ? current
        : Edits.withoutAnnotation(current, GENERATION)
            .withAt(List.of("spec", "templateGeneration"), new Int(generation));
  }
}
