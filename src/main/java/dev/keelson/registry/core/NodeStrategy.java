package dev.keelson.registry.core;

import dev.keelson.api.FieldCause;
import dev.keelson.object.ApiObject;
import dev.keelson.object.GoText;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.KindStrategy;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.value.JsonSyntax;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Validates the annotation of a node that names the pods it would rather not have (source:
 * ValidateAvoidPodsInNodeAnnotations).
 */
public final class NodeStrategy implements KindStrategy {

  private static final String AVOIDED = "scheduler.alpha.kubernetes.io/preferAvoidPods";
  private static final String PATH = "metadata.annotations.";

  @Override
  public List<FieldCause> validate(ApiObject node) {
    String text = node.meta().node().map("annotations").text(AVOIDED);
    if (text.isEmpty()) {
      return List.of();
    }
    byte[] json = text.getBytes(StandardCharsets.UTF_8);
    String problem = JsonSyntax.problem(json);
    return problem.isEmpty() ? avoided(ObjectReader.untypedJson(json)) : unreadable(problem);
  }

  private static List<FieldCause> avoided(Node read) {
    if (read == Node.Null.NULL) {
      return List.of();
    }
    if (!(read instanceof MapNode pods)) {
      return unreadable(
          "json: cannot unmarshal "
              + GoText.jsonType(read)
              + " into Go value of type v1.AvoidPods");
    }
    List<FieldCause> causes = new ArrayList<>();
    List<Node> entries = pods.items("preferAvoidPods");
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i) instanceof MapNode entry) {
        signature(entry.map("podSignature"), PATH + AVOIDED + "[" + i + "].PodSignature", causes);
      }
    }
    return causes;
  }

  private static void signature(MapNode signature, String path, List<FieldCause> causes) {
    if (!(signature.get("podController") instanceof MapNode owner)) {
      causes.add(FieldCause.required(path, ""));
    } else if (owner.get("controller") != Node.Bool.TRUE) {
      causes.add(
          FieldCause.invalid(
              path + ".PodController.Controller", false, "must point to a controller"));
    }
  }

  private static List<FieldCause> unreadable(String problem) {
    return List.of(FieldCause.invalid(PATH + "AvoidPods", AVOIDED, problem));
  }
}
