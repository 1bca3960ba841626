package dev.keelson.controller.daemonset;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.LabelSelector;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.controller.event.ObjectReference;
import dev.keelson.controller.workload.Numbers;
import dev.keelson.controller.workload.PodFacts;
import dev.keelson.controller.workload.Selectors;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A view of a DaemonSet. */
record DaemonSet(ApiObject object) {

  static final GroupVersionResource RESOURCE =
      new GroupVersion("apps", "v1").resource("daemonsets");
  static final String KIND = "DaemonSet";

  /** The label with the revision of a pod. */
  static final String REVISION = "controller-revision-hash";

  /** The label with the number of the template, which old clients use. */
  static final String GENERATION = "pod-template-generation";

  private static final String GENERATION_ANNOTATION = "deprecated.daemonset.template.generation";
  private static final int HISTORY_LIMIT = 10;

  ObjectMeta meta() {
    return object.meta();
  }

  ObjectName name() {
    return ObjectName.of(meta());
  }

  MapNode spec() {
    return object.root().map("spec");
  }

  MapNode status() {
    return object.root().map("status");
  }

  MapNode template() {
    return spec().map("template");
  }

  /** Null if it is not valid. */
  @Nullable LabelSelector selector() {
    return Selectors.of(spec().map("selector")).orElse(null);
  }

  Duration minReady() {
    return Duration.ofSeconds(Numbers.of(spec(), "minReadySeconds", 0));
  }

  boolean updatesOnDelete() {
    return spec().map("updateStrategy").text("type").equals("OnDelete");
  }

  /** How many nodes may lack an available pod during an update, of those that shall have one. */
  int maxUnavailable(int nodes) {
    int unavailable = scaled("maxUnavailable", nodes);
    return nodes > 0 && unavailable == 0 && maxSurge(nodes) == 0 ? 1 : unavailable;
  }

  /** How many nodes may have a second pod during an update. */
  int maxSurge(int nodes) {
    return scaled("maxSurge", nodes);
  }

  boolean surges() {
    return maxSurge(1) > 0;
  }

  private int scaled(String key, int nodes) {
    if (updatesOnDelete()) {
      return 0;
    }
    return switch (spec().map("updateStrategy").map("rollingUpdate").get(key)) {
      case Node.Int number -> Math.clamp(number.value(), 0, Integer.MAX_VALUE);
      case Node.Text text when text.value().endsWith("%") -> {
        long percent = Long.parseLong(text.value().substring(0, text.value().length() - 1));
        yield Math.toIntExact(Math.ceilDiv(percent * nodes, 100));
      }
      case null, default -> 0;
    };
  }

  int historyLimit() {
    return Numbers.of(spec(), "revisionHistoryLimit", HISTORY_LIMIT);
  }

  /** The number of the template; empty if it has none. */
  String generation() {
    return meta().annotations().getOrDefault(GENERATION_ANNOTATION, "");
  }

  /** Whether a pod is made from the template. */
  boolean isUpdated(PodFacts pod, String hash) {
    return hash.equals(pod.labels().get(REVISION))
        || (!generation().isEmpty() && generation().equals(pod.labels().get(GENERATION)));
  }

  ObjectReference reference() {
    return ObjectReference.of(RESOURCE.apiVersion(), KIND, meta());
  }
}
