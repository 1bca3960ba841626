package dev.keelson.controller.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.CustomTypes;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ConditionTaintsTest {

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private static ApiObject node(String condition, String status, String spec) {
    return new ApiObject(
        CustomTypes.tree(
            "{'metadata':{'name':'n'},'spec':{%s},'status':{'conditions':[{'type':'%s','status':'%s'}]}}"
                .formatted(spec, condition, status)));
  }

  private static List<String> taints(ApiObject node) {
    return node.root().map("spec").maps("taints").stream()
        .map(taint -> taint.text("key") + ":" + taint.text("effect"))
        .toList();
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "Ready, True, -",
        "Ready, False, node.kubernetes.io/not-ready",
        "Ready, Unknown, node.kubernetes.io/unreachable",
        "MemoryPressure, True, node.kubernetes.io/memory-pressure",
        "MemoryPressure, Unknown, -",
        "DiskPressure, True, node.kubernetes.io/disk-pressure",
        "PIDPressure, True, node.kubernetes.io/pid-pressure",
        "NetworkUnavailable, True, node.kubernetes.io/network-unavailable",
        "NetworkUnavailable, False, -",
        "Other, True, -",
      })
  void conditions_haveTaints_inPlaceOfThoseBefore(String condition, String status, String key) {
    ApiObject node =
        node(
            condition,
            status,
            "'taints':[{'key':'node.kubernetes.io/not-ready','effect':'NoSchedule'},"
                + "{'key':'mine','effect':'NoSchedule'}]");

    ApiObject corrected = ConditionTaints.corrected(node, NOW);

    assertThat(taints(corrected))
        .containsExactlyInAnyOrderElementsOf(
            key == null
                ? List.of("mine:NoSchedule")
                : List.of("mine:NoSchedule", key + ":NoSchedule"));
    assertThat(ConditionTaints.areRight(NodeFacts.of(corrected))).isTrue();
    for (MapNode taint : corrected.root().map("spec").maps("taints")) {
      // those that were there before are as they were
      boolean added = taint.text("key").equals(key) && !key.endsWith("/not-ready");
      assertThat(taint.text("timeAdded")).isEqualTo(added ? "2026-01-01T00:00:00Z" : "");
    }
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "True, -",
        "False, node.kubernetes.io/not-ready",
        "Unknown, node.kubernetes.io/unreachable",
      })
  void readiness_hasTheTaintThatEvicts(String status, String key) {
    ApiObject node =
        node(
            "Ready",
            status,
            "'taints':[{'key':'node.kubernetes.io/unreachable','effect':'NoExecute'},"
                + "{'key':'mine','effect':'NoExecute'}]");

    ApiObject next = ConditionTaints.withEvicting(node, NOW);

    assertThat(taints(next))
        .containsExactlyInAnyOrderElementsOf(
            key == null
                ? List.of("mine:NoExecute")
                : List.of("mine:NoExecute", key + ":NoExecute"));
    for (MapNode taint : next.root().map("spec").maps("taints")) {
      if (taint.text("key").equals("node.kubernetes.io/not-ready")) {
        assertThat(taint.text("timeAdded")).isEqualTo("2026-01-01T00:00:00Z");
      }
    }
  }
}
