package dev.keelson.controller.statefulset;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.LabelSelector;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.controller.event.ObjectReference;
import dev.keelson.controller.workload.Numbers;
import dev.keelson.controller.workload.PodFacts;
import dev.keelson.controller.workload.Selectors;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A view of a StatefulSet. */
record StatefulSet(ApiObject object) {

  static final GroupVersionResource RESOURCE =
      new GroupVersion("apps", "v1").resource("statefulsets");
  static final String KIND = "StatefulSet";

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

  int replicas() {
    return Numbers.of(spec(), "replicas", 1);
  }

  /** The ordinal of the first pod. */
  int start() {
    return Numbers.of(spec().map("ordinals"), "start", 0);
  }

  boolean hasOrdinal(int ordinal) {
    return ordinal >= start() && ordinal < (long) start() + replicas();
  }

  Duration minReady() {
    return Duration.ofSeconds(Numbers.of(spec(), "minReadySeconds", 0));
  }

  /** Null if it is not valid. */
  @Nullable LabelSelector selector() {
    return Selectors.of(spec().map("selector")).orElse(null);
  }

  MapNode template() {
    return spec().map("template");
  }

  /** Whether pods wait for those of lower ordinals. */
  boolean isOrdered() {
    return !spec().text("podManagementPolicy").equals("Parallel");
  }

  boolean updatesOnDelete() {
    return spec().map("updateStrategy").text("type").equals("OnDelete");
  }

  private MapNode rollingUpdate() {
    return spec().map("updateStrategy").map("rollingUpdate");
  }

  /** How many of the first pods keep their revision in a rolling update. */
  int partition() {
    return Numbers.of(rollingUpdate(), "partition", 0);
  }

  int historyLimit() {
    return Numbers.of(spec(), "revisionHistoryLimit", HISTORY_LIMIT);
  }

  /** Whether the claims of pods are deleted, {@code whenDeleted} or {@code whenScaled}. */
  boolean deletesClaims(String when) {
    return spec().map("persistentVolumeClaimRetentionPolicy").text(when).equals("Delete");
  }

  List<MapNode> claimTemplates() {
    return spec().maps("volumeClaimTemplates");
  }

  String podName(int ordinal) {
    return meta().name() + "-" + ordinal;
  }

  String claimName(MapNode template, int ordinal) {
    return template.map("metadata").text("name") + "-" + podName(ordinal);
  }

  /** The ordinal in the name of a pod; -1 if it is not one of this set. */
  int ordinal(PodFacts pod) {
    String prefix = meta().name() + "-";
    String name = pod.name().name();
    if (!name.startsWith(prefix)) {
      return -1;
    }
    int ordinal = Numbers.parse(name.substring(prefix.length()), -1);
    return ordinal >= 0 && name.equals(podName(ordinal)) ? ordinal : -1;
  }

  ObjectReference reference() {
    return ObjectReference.of(RESOURCE.apiVersion(), KIND, meta());
  }
}
