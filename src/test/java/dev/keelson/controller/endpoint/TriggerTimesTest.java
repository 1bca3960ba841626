package dev.keelson.controller.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TriggerTimesTest {

  private final TriggerTimes times = new TriggerTimes();

  private static Instant second(int second) {
    return Instant.parse("2026-01-01T00:00:00Z").plusSeconds(second);
  }

  private static ApiObject object(String name, String created) {
    return new ApiObject(
        MapNode.of(
            "metadata",
            MapNode.ofTexts(
                Map.of("name", name, "namespace", "default", "creationTimestamp", created))));
  }

  private static ServiceFacts service(int created) {
    return ServiceFacts.of(object("web", second(created).toString()));
  }

  private static EndpointPod pod(String name, int readyChanged) {
    MapNode condition =
        MapNode.ofTexts(
            Map.of(
                "type",
                "Ready",
                "status",
                "True",
                "lastTransitionTime",
                second(readyChanged).toString()));
    return EndpointPod.of(
        object(name, second(0).toString())
            .with("status", MapNode.of("conditions", new Node.Items(List.of(condition)))));
  }

  private @Nullable Instant next(int created, EndpointPod... pods) {
    return times.next(service(created), Arrays.asList(pods));
  }

  @Test
  void newService_countsFromItsCreation_whateverItsPodsAre() {
    assertThat(next(3, pod("a", 0), pod("b", 5))).isEqualTo(second(3));
  }

  @Test
  void earliestChangeSinceTheLastLook_isTold() {
    assertThat(next(0, pod("a", 1))).isEqualTo(second(0));
    assertThat(next(0, pod("a", 1), pod("b", 4), pod("c", 3))).isEqualTo(second(3));
    assertThat(next(0, pod("a", 5), pod("b", 4), pod("c", 3))).isEqualTo(second(5));
  }

  @Test
  void nothingThatChanged_isNothing() {
    assertThat(next(0, pod("a", 1), pod("b", 2))).isEqualTo(second(0));
    assertThat(next(0, pod("a", 1))).isNull();
    assertThat(next(0, pod("a", 1))).isNull();
  }

  @Test
  void serviceThatIsCreatedAgain_countsFromItsNewCreation() {
    assertThat(next(0, pod("a", 1))).isEqualTo(second(0));
    assertThat(next(2, pod("a", 3))).isEqualTo(second(2));

    times.forget(service(2).name());

    assertThat(next(2, pod("a", 3))).isEqualTo(second(2));
  }

  @Test
  void annotation_isSetAndRemoved() {
    ApiObject plain = object("web", second(0).toString());

    ApiObject told = TriggerTimes.told(plain, second(7));

    assertThat(told.meta().annotations())
        .containsExactly(Map.entry(TriggerTimes.ANNOTATION, "2026-01-01T00:00:07Z"));
    assertThat(TriggerTimes.told(told, null)).isEqualTo(plain);
    assertThat(TriggerTimes.told(plain, null)).isSameAs(plain);
  }
}
