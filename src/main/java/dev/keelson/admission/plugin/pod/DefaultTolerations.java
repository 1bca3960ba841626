package dev.keelson.admission.plugin.pod;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;

/** DefaultTolerationSeconds: adds tolerations for not-ready and unreachable nodes. */
public final class DefaultTolerations implements Admission {

  private final long notReadySeconds;
  private final long unreachableSeconds;

  public DefaultTolerations(long notReadySeconds, long unreachableSeconds) {
    this.notReadySeconds = notReadySeconds;
    this.unreachableSeconds = unreachableSeconds;
  }

  @Override
  public boolean handles(Verb operation, GroupResource resource, String subresource) {
    return (operation == Verb.CREATE || operation == Verb.UPDATE)
        && Pods.isPod(resource, subresource);
  }

  @Override
  public ApiObject mutate(AdmissionAttributes call, ApiObject object) {
    if (!Pods.concerns(call)) {
      return object;
    }
    MapNode spec = Pods.spec(object);
    MapNode next = tolerating(spec, "node.kubernetes.io/not-ready", notReadySeconds);
    next = tolerating(next, "node.kubernetes.io/unreachable", unreachableSeconds);
    return next == spec ? object : object.with("spec", next);
  }

  private static MapNode tolerating(MapNode spec, String taint, long seconds) {
    for (Node item : spec.items("tolerations")) {
      if (item instanceof MapNode toleration && covers(toleration, taint)) {
        return spec;
      }
    }
    return Pods.appended(
        spec,
        "tolerations",
        MapNode.of("key", Node.text(taint))
            .with("operator", Node.text("Exists"))
            .with("effect", Node.text("NoExecute"))
            .with("tolerationSeconds", new Node.Int(seconds)));
  }

  private static boolean covers(MapNode toleration, String taint) {
    String key = toleration.text("key");
    String effect = toleration.text("effect");
    return (key.isEmpty() || key.equals(taint)) && (effect.isEmpty() || effect.equals("NoExecute"));
  }
}
