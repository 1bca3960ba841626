package dev.keelson.registry.fieldmanager;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResourceDefinition;
import java.util.List;

/**
 * What an object has in Kubernetes as soon as it was read, though its sender left it out, so that
 * it counts as the sender's. The count of a DaemonSet's templates is a field of its internal form
 * and an annotation of apps versions: whoever sends none has sent zero.
 */
final class ImpliedFields {

  private static final String COUNT = "deprecated.daemonset.template.generation";

  private ImpliedFields() {}

  /** The tree, in the version of {@code definition}, with what it implies. */
  static MapNode with(ResourceDefinition definition, MapNode root) {
    boolean counted =
        definition.kind().equals("DaemonSet") && definition.gvk().group().equals("apps");
    return counted && root.at("metadata", "annotations", COUNT) == null
        ? root.withAt(List.of("metadata", "annotations", COUNT), Node.text("0"))
        : root;
  }
}
