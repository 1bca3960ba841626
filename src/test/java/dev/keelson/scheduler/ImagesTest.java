package dev.keelson.scheduler;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.ApiObject;
import dev.keelson.scheduler.device.DeviceNeeds;
import dev.keelson.testing.CustomTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rows are the cases of kube-scheduler's {@code imagelocality/image_locality_test.go}. */
final class ImagesTest {

  private static final long MEBIBYTE = 1 << 20;

  private static NodeView node(String name, String sizes) {
    String images =
        Stream.of(sizes.split(" ", -1))
            .filter(size -> !size.isEmpty())
            .map(
                size ->
                    "{'names':['gcr.io/%s:latest','gcr.io/%s:v1'],'sizeBytes':%d}"
                        .formatted(size, size, Long.parseLong(size) * MEBIBYTE))
            .collect(Collectors.joining(","));
    return NodeView.of(
        new ApiObject(
            CustomTypes.tree(
                "{'metadata':{'name':'%s'},'status':{'images':[%s]}}".formatted(name, images))));
  }

  /** Nodes by the sizes of their images in MiB; a pod by those of its containers. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          the larger image           | 40 250      | 40 300 2000 / 250 10      | 0 5
          both images                | 40 300      | 40 300 2000 / 250 10      | 7 0
          no more than the limit     | 10 4000     | 4000 30 / 250 10          | 100 0
          the limit, and an empty node | 10 4000   | 4000 30 / 250 10 /        | 66 0 0
          several containers         | 300 600 900 | 600 40 900 / 300 600 900 / | 32 36 0
          small images               | 30 40       | 600 40 900 / 300 600 900 / | 0 0 0
          """)
  void score(String name, String pod, String nodes, String expected) {
    List<String> images =
        Stream.of(pod.split(" ", -1)).map(size -> "gcr.io/" + size + ":latest").toList();
    Cluster cluster = new Cluster();
    int number = 0;
    for (String sizes : nodes.split("/", -1)) {
      cluster.put(node("n" + number++, sizes.strip()));
    }

    List<String> scores = new ArrayList<>();
    for (Room room : cluster.rooms()) {
      scores.add(
          Long.toString(
              Images.score(
                  images, room.node().images(), cluster.images(), cluster.rooms().size())));
    }
    assertThat(String.join(" ", scores)).as(name).isEqualTo(expected);
  }

  @Test
  void images_ofAPodAreThoseOfItsContainersWithTags() {
    assertThat(
            Images.of(
                CustomTypes.tree(
                    "{'containers':[{'image':'localhost:5000/web'},{'image':'nginx:1'}],"
                        + "'initContainers':[{'image':'busybox'}]}")))
        .containsExactly("localhost:5000/web:latest", "nginx:1", "busybox:latest");
  }

  @Test
  void images_ofNodesThatGo_areNotCounted() {
    Cluster cluster = new Cluster();
    cluster.put(node("a", "40"));
    cluster.put(node("b", "40 300"));
    cluster.put(node("a", "300"));
    assertThat(cluster.images()).containsEntry("gcr.io/40:v1", 1).containsEntry("gcr.io/300:v1", 2);

    cluster.removeNode("b");

    assertThat(cluster.images()).containsOnlyKeys("gcr.io/300:v1", "gcr.io/300:latest");
  }

  @Test
  void node_withTheImage_isTheBestOfEqualOnes() {
    Cluster cluster = new Cluster();
    cluster.put(node("a", ""));
    cluster.put(node("b", "900"));
    PodView pod =
        PodView.of(
            new ApiObject(
                CustomTypes.tree(
                    "{'metadata':{'name':'p','namespace':'d','uid':'p'},'spec':{'containers':[{'image':"
                        + "'gcr.io/900:v1'}]}}")));

    for (int turn = 0; turn < 2; turn++) {
      Room best =
          Scores.best(
              pod,
              requireNonNull(pod.wants()),
              DeviceNeeds.NONE,
              List.copyOf(cluster.rooms()),
              cluster,
              namespace -> Map.of(),
              turn);
      assertThat(best.node().name()).isEqualTo("b");
    }
  }
}
