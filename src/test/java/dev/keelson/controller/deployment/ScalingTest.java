package dev.keelson.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.controller.workload.ReplicaSetFacts;
import dev.keelson.object.ApiObject;
import dev.keelson.testing.CustomTypes;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Sizes of ReplicaSets, some at the end of the range of numbers. */
final class ScalingTest {

  private static final int MAX = Integer.MAX_VALUE;

  private static Deployment deployment(int replicas, String surge) {
    return new Deployment(
        new ApiObject(
            CustomTypes.tree(
                ("{'kind':'Deployment','spec':{'replicas':%d,'strategy':{'type':'RollingUpdate',"
                        + "'rollingUpdate':{'maxSurge':%s,'maxUnavailable':0}}}}")
                    .formatted(replicas, surge))));
  }

  private static ReplicaSetFacts set(String name, int replicas, long before) {
    return ReplicaSetFacts.of(
        new ApiObject(
            CustomTypes.tree(
                ("{'kind':'ReplicaSet','metadata':{'name':'%s','namespace':'default','uid':'%1$s',"
                        + "'annotations':{'deployment.kubernetes.io/max-replicas':'%d'}},'spec':{"
                        + "'replicas':%d}}")
                    .formatted(name, before, replicas))));
  }

  @Test
  void newSet_getsAllPods_withASurgeBeyondTheRange() {
    assertThat(Scaling.ofNew(deployment(MAX, "'25%'"), List.of(), 0)).isEqualTo(MAX);
    assertThat(
            Scaling.ofNew(deployment(MAX, Integer.toString(MAX)), List.of(set("old", MAX, MAX)), 0))
        .isEqualTo(MAX);
    assertThat(
            Scaling.ofNew(deployment(MAX, "1"), List.of(set("a", MAX, MAX), set("b", MAX, MAX)), 5))
        .isEqualTo(5);
  }

  @Test
  void proportions_endAtTheRange() {
    ReplicaSetFacts large = set("large", 6, 10);
    ReplicaSetFacts small = set("small", 4, 10);

    Map<ReplicaSetFacts, Integer> sizes =
        Scaling.proportional(deployment(MAX, "'100%'"), List.of(large, small));

    assertThat(sizes).containsEntry(large, MAX);
    assertThat(sizes.get(small)).isBetween(1_700_000_000, 1_730_000_000);
    assertThat(
            Scaling.proportional(
                    deployment(1_000_000, "'100%'"),
                    List.of(set("a", MAX, 2L * MAX), set("b", MAX, 2L * MAX)))
                .values())
        .containsExactly(1_000_000, 1_000_000);
    assertThat(Scaling.proportional(deployment(0, "'100%'"), List.of(set("a", MAX, 1))).values())
        .containsExactly(0);
  }

  /** ReplicaSets are often made within one second. */
  @Test
  void setsOfOneSizeAndAge_getTheRestByTheirNames() {
    ReplicaSetFacts first = set("a", 5, 10);
    ReplicaSetFacts second = set("b", 5, 10);

    assertThat(Scaling.proportional(deployment(11, "0"), List.of(first, second)))
        .containsExactly(Map.entry(second, 6), Map.entry(first, 5));
    assertThat(Scaling.proportional(deployment(9, "0"), List.of(second, first)))
        .containsExactly(Map.entry(first, 4), Map.entry(second, 5));
  }
}
