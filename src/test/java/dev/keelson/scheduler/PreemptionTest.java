package dev.keelson.scheduler;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.ApiObject;
import dev.keelson.scheduler.Preemption.Candidate;
import dev.keelson.testing.CustomTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The rows are cases of kube-scheduler's {@code default_preemption_test.go}. Nodes have a processor
 * each.
 */
final class PreemptionTest {

  private final Cluster cluster = new Cluster();

  private static PodView pod(String name, String node, int priority, int cpu, String label) {
    return PodView.of(
        new ApiObject(
            CustomTypes.tree(
                ("{'metadata':{'name':'%s','namespace':'default','uid':'%s','labels':{'app':'%s'}},"
                        + "'spec':{'nodeName':'%s','priority':%d,'containers':[{'resources':{'requests':"
                        + "{'cpu':'%dm'}}}]},'status':{'startTime':'2026-01-01T00:00:00Z'}}")
                    .formatted(name, name, label, node, priority, cpu))));
  }

  private static BudgetView budget(String text) {
    String[] parts = text.strip().split(":", -1);
    return BudgetView.of(
        new ApiObject(
            CustomTypes.tree(
                ("{'metadata':{'name':'b','namespace':'default'},'spec':{'selector':%s},"
                        + "'status':{'disruptionsAllowed':%s,'disruptedPods':{%s}}}")
                    .formatted(
                        parts[0].equals("*") ? "{}" : "{'matchLabels':{'app':'" + parts[0] + "'}}",
                        parts[1],
                        parts.length < 3 ? "" : "'" + parts[2] + "':'2026-01-01T00:00:00Z'"))));
  }

  /**
   * Pods as {@code NAME@NODE:PRIORITY:CPU:LABEL}, budgets as {@code LABEL:ALLOWED[:DISRUPTED]}; a
   * pod of priority 100 needs half a processor.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          lower priority               | a@n1:10:600:x b@n2:20:600:x | | n1 a 0
          fewer violations             | a@n1:10:600:x b@n2:20:600:y | x:0 | n2 b 0
          a budget with room           | a@n1:10:600:x b@n2:20:600:y | x:1 | n1 a 0
          both are protected           | a@n1:10:600:x b@n2:20:600:y | x:0 y:0 | n1 a 1
          already disrupted            | a@n1:10:600:x b@n2:20:600:y | x:0:a | n1 a 0
          a budget of nothing          | a@n1:10:600:x b@n2:20:600:y | *:0 | n1 a 0
          the protected stays          | a@n1:10:500:x b@n1:50:500:y | x:0 | n1 b 0
          the more important stays     | a@n1:10:500:x b@n1:50:500:y | y:0 | n1 a 0
          without a budget             | a@n1:10:500:x b@n1:50:500:y | | n1 a 0
          the last allowed one         | a@n1:10:300:x b@n1:20:300:x c@n1:30:200:z | x:1 | n1 b 0
          two budgets of one pod       | a@n1:10:600:x b@n2:20:600:y | x:1 x:0 | n2 b 0
          higher priority is no victim | a@n1:200:600:x b@n2:20:600:y | y:0 | n2 b 1
          none                         | a@n1:200:600:x | | none
          """)
  void find(String name, String pods, @Nullable String budgets, String expected) {
    for (String node : List.of("n1", "n2")) {
      cluster.put(
          NodeView.of(
              new ApiObject(
                  CustomTypes.tree(
                      "{'metadata':{'name':'%s'},'status':{'allocatable':{'cpu':'1','memory':'1Gi','pods':'9'}}}"
                          .formatted(node)))));
    }
    List<Room> rooms = new ArrayList<>();
    for (String each : pods.split(" ", -1)) {
      String[] parts = each.split("[@:]", -1);
      cluster.put(
          pod(
              parts[0],
              parts[1],
              Integer.parseInt(parts[2]),
              Integer.parseInt(parts[3]),
              parts[4]));
      Room room = requireNonNull(cluster.room(parts[1]));
      if (!rooms.contains(room)) {
        rooms.add(room);
      }
    }
    List<BudgetView> all = new ArrayList<>();
    for (String each : budgets == null ? new String[0] : budgets.split(" ", -1)) {
      all.add(budget(each));
    }
    PodView pod = pod("new", "", 100, 500, "new");

    Optional<Candidate> found =
        Preemption.find(
            pod, requireNonNull(pod.wants()), Needs.NONE, rooms, cluster, all, _ -> Map.of());

    assertThat(
            found
                .map(
                    candidate ->
                        candidate.node()
                            + " "
                            + candidate.victims().stream()
                                .map(victim -> victim.name().name())
                                .collect(Collectors.joining(","))
                            + " "
                            + candidate.violations())
                .orElse("none"))
        .as(name)
        .isEqualTo(expected);
    assertThat(rooms.stream().mapToInt(room -> room.pods().size()).sum())
        .as("the cluster is as before")
        .isEqualTo(pods.split(" ", -1).length);
  }
}
