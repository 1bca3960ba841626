package dev.keelson.model;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;

/** What the rules look at in a pod. */
final class PodStates {

  private PodStates() {}

  static String phase(ApiObject pod) {
    return pod.root().map("status").text("phase");
  }

  static boolean ended(ApiObject pod) {
    return phase(pod).equals("Succeeded") || phase(pod).equals("Failed");
  }

  /** Whether the pod counts as one that runs or will. */
  static boolean active(ApiObject pod) {
    return !pod.meta().deleting() && !ended(pod);
  }

  static boolean ready(ApiObject pod) {
    return active(pod)
        && pod.root().map("status").maps("conditions").stream()
            .anyMatch(
                condition ->
                    condition.text("type").equals("Ready")
                        && condition.text("status").equals("True"));
  }

  static String app(ApiObject pod) {
    return pod.meta().labels().getOrDefault("app", "");
  }

  /** The image, by which the models tell templates. */
  static String image(ApiObject pod) {
    return pod.root().map("spec").maps("containers").getFirst().text("image");
  }

  /** The node that the affinity of a DaemonSet's pod names; empty if there is none. */
  static String wantedNode(ApiObject pod) {
    return pod
        .root()
        .map("spec")
        .map("affinity")
        .map("nodeAffinity")
        .map("requiredDuringSchedulingIgnoredDuringExecution")
        .maps("nodeSelectorTerms")
        .stream()
        .flatMap(term -> term.maps("matchFields").stream())
        .flatMap(field -> field.items("values").stream())
        .map(value -> value instanceof Node.Text text ? text.value() : "")
        .findFirst()
        .orElse("");
  }
}
