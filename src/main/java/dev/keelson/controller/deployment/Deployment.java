package dev.keelson.controller.deployment;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.LabelSelector;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.controller.event.ObjectReference;
import dev.keelson.controller.workload.Numbers;
import dev.keelson.controller.workload.PodTemplate;
import dev.keelson.controller.workload.Selectors;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A view of a Deployment. */
record Deployment(ApiObject object) {

  static final GroupVersionResource RESOURCE =
      new GroupVersion("apps", "v1").resource("deployments");
  static final String API_VERSION = "apps/v1";
  static final String KIND = "Deployment";

  /** The annotation with the revision to go back to, as old clients ask for it; 0 for the last. */
  static final String ROLLBACK = "deprecated.deployment.rollback.to";

  ObjectName name() {
    return ObjectName.of(object.meta());
  }

  String uid() {
    return object.meta().uid();
  }

  MapNode spec() {
    return object.root().map("spec");
  }

  MapNode status() {
    return object.root().map("status");
  }

  Map<String, String> annotations() {
    return object.meta().annotations();
  }

  int replicas() {
    return number(spec(), "replicas", 1);
  }

  boolean paused() {
    return spec().get("paused") == Node.Bool.TRUE;
  }

  Duration minReady() {
    return Duration.ofSeconds(number(spec(), "minReadySeconds", 0));
  }

  MapNode template() {
    return spec().map("template");
  }

  String templateDigest() {
    return PodTemplate.digest(template());
  }

  /** Null if it is not valid. */
  @Nullable LabelSelector selector() {
    return Selectors.of(spec().map("selector")).orElse(null);
  }

  boolean recreates() {
    return spec().map("strategy").text("type").equals("Recreate");
  }

  /** The revision to go back to; 0 for the last one, empty if it is to stay. */
  OptionalLong rollback() {
    try {
      String revision = annotations().getOrDefault(ROLLBACK, "");
      return revision.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(revision));
    } catch (NumberFormatException e) {
      // somebody has written it
      return OptionalLong.empty();
    }
  }

  /** Whether a deadline for progress is set; the maximum means that there is none. */
  boolean hasProgressDeadline() {
    return spec().get("progressDeadlineSeconds") instanceof Node.Int seconds
        && seconds.value() != Integer.MAX_VALUE;
  }

  Duration progressDeadline() {
    return Duration.ofSeconds(number(spec(), "progressDeadlineSeconds", Integer.MAX_VALUE));
  }

  /** How many old ReplicaSets to keep; the maximum if it is not set. */
  int revisionHistoryLimit() {
    return number(spec(), "revisionHistoryLimit", Integer.MAX_VALUE);
  }

  long collisions() {
    return status().get("collisionCount") instanceof Node.Int count ? count.value() : 0;
  }

  int told(String key) {
    return number(status(), key, 0);
  }

  /** The most pods beyond {@link #replicas} during a rollout. */
  int maxSurge() {
    return recreates() ? 0 : fenceposts()[0];
  }

  /** The most pods that may be unavailable during a rollout. */
  int maxUnavailable() {
    if (recreates() || replicas() == 0) {
      return 0;
    }
    return Math.min(fenceposts()[1], replicas());
  }

  int minAvailable() {
    return replicas() - maxUnavailable();
  }

  /** Surge is rounded up and unavailable down; one of them is at least 1. */
  private int[] fenceposts() {
    MapNode rolling = spec().map("strategy").map("rollingUpdate");
    int surge = resolved(rolling.get("maxSurge"), /* up= */ true);
    int unavailable = resolved(rolling.get("maxUnavailable"), /* up= */ false);
    return new int[] {surge, surge == 0 && unavailable == 0 ? 1 : unavailable};
  }

  private int resolved(@Nullable Node value, boolean up) {
    if (value instanceof Node.Int number) {
      return Math.clamp(number.value(), 0, Integer.MAX_VALUE);
    }
    if (value instanceof Node.Text text && text.value().endsWith("%")) {
      // validation takes any number of digits
      String digits = text.value().substring(0, text.value().length() - 1);
      long parts = (long) Numbers.parse(digits, Integer.MAX_VALUE) * replicas();
      return Math.clamp(up ? Math.ceilDiv(parts, 100) : parts / 100, 0, Integer.MAX_VALUE);
    }
    return 0;
  }

  private static int number(MapNode node, String key, int absent) {
    return node.get(key) instanceof Node.Int number
        ? Math.clamp(number.value(), 0, Integer.MAX_VALUE)
        : absent;
  }

  /** Whether a status says that all pods are those of the template, and available. */
  boolean isComplete(MapNode status) {
    Deployment told = withStatus(status);
    int wanted = replicas();
    return told.told("updatedReplicas") == wanted
        && told.told("replicas") == wanted
        && told.told("availableReplicas") == wanted
        && status.get("observedGeneration") instanceof Node.Int seen
        && seen.value() >= object.meta().generation();
  }

  ObjectReference reference() {
    return ObjectReference.of(API_VERSION, KIND, object.meta());
  }

  Deployment withStatus(MapNode status) {
    return new Deployment(object.with("status", status));
  }

  Deployment withAnnotations(Map<String, String> annotations) {
    return new Deployment(
        object.withMeta(object.meta().with("annotations", MapNode.ofTexts(annotations))));
  }

  Deployment withTemplate(MapNode template) {
    return new Deployment(object.with("spec", spec().with("template", template)));
  }

  Deployment withAnnotation(String key, String value) {
    return new Deployment(
        object.withMeta(
            object
                .meta()
                .with(
                    "annotations",
                    object.meta().node().map("annotations").with(key, Node.text(value)))));
  }
}
