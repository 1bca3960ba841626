package dev.keelson.controller.autoscaler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.controller.autoscaler.MetricReadings.Sample;
import dev.keelson.controller.autoscaler.ReplicaCalculator.Groups;
import dev.keelson.controller.autoscaler.ReplicaCalculator.Proposal;
import dev.keelson.object.ApiObject;
import dev.keelson.testing.CustomTypes;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rows are the cases of Kubernetes' {@code podautoscaler/replica_calculator_test.go}. */
final class ReplicaCalculatorTest {

  private static final long MAX = Long.MAX_VALUE;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          up                              | 3 | R R R         | 1.0 | 300 500 700 | | 30 | 5 | 50 | 1000
          up, of a container              | 3 | R R R         | 1.0 | 1000/300 1000/500 1000/700 | container2 | 30 | 5 | 50 | 500
          up, less with an unready pod    | 3 | Ru R R        | 1.0 | 300 500 700 | | 30 | 4 | 60 | 1200
          up, less with a new container   | 3 | Rh R R        | 1.0 | 0/300 0/500 0/700 | container2 | 30 | 4 | 60 | 600
          up, less with a new pod         | 3 | Rh R R        | 1.0 | 300 500 700 | | 30 | 4 | 60 | 1200
          same, unready pods              | 3 | R Ru Ru       | 1.0 | 400 500 700 | | 30 | 3 | 40 | 800
          same, new pods                  | 3 | R Ruh Ruh     | 1.0 | 400 500 700 | | 30 | 3 | 40 | 800
          up, without failed pods         | 2 | R R Fu Fu     | 1.0 | 500 700     | | 30 | 4 | 60 | 1200
          up, failed pods, container      | 2 | R R Fu Fu     | 1.0 | 1000/500 9000/700 | container2 | 30 | 4 | 60 | 600
          up, without succeeded pods      | 2 | R R Su Su     | 1.0 | 500 700     | | 30 | 4 | 60 | 1200
          up, succeeded pods, container   | 2 | R R Su Su     | 1.0 | 1000/500 9000/700 | container2 | 30 | 4 | 60 | 600
          up, without deleted pods        | 2 | R R Rud Rud   | 1.0 | 500 700     | | 30 | 4 | 60 | 1200
          up, deleted pods, container     | 2 | R R Rud Rud   | 1.0 | 500 700     | container1 | 30 | 4 | 60 | 600
          down                            | 5 | R R R R R     | 1.0 | 100 300 500 250 250 | | 50 | 3 | 28 | 560
          down, of a container            | 5 | R R R R R     | 1.0 | 1000/100 1000/300 1000/500 1000/250 1000/250 | container2 | 50 | 3 | 28 | 280
          down, without unready pods      | 5 | R R R Ru Ru   | 1.0 | 100 300 500 250 250 | | 50 | 2 | 30 | 600
          down, unready pods, container   | 5 | R R R Ru Ru   | 1.0 | 1000/100 1000/300 1000/500 1000/250 1000/250 | container2 | 50 | 2 | 30 | 300
          down, without pending pods      | 5 | R Pu Pu Pu Pu | 1.0 | 100         | | 50 | 1 | 10 | 200
          down, pending pods, container   | 5 | R Pu Pu Pu Pu | 1.0 | 1000/100 1000/300 1000/500 1000/250 1000/250 | container2 | 50 | 1 | 10 | 100
          down, without new pods          | 5 | R R R Rh Rh   | 1.0 | 100 300 500 250 250 | | 50 | 2 | 30 | 600
          down, new pods, container       | 5 | R R R Rh Rh   | 1.0 | 1000/100 1000/300 1000/500 1000/1000 1000/1000 | container2 | 50 | 2 | 30 | 300
          down, without failed pods       | 5 | R R R R R Fu Fu | 1.0 | 100 300 500 250 250 | | 50 | 3 | 28 | 560
          down, failed pods, container    | 5 | R R R R R Fu Fu | 1.0 | 1000/100 1000/300 1000/500 1000/250 1000/250 | container2 | 50 | 3 | 28 | 280
          down, without succeeded pods    | 5 | R R R R R Su Su | 1.0 | 100 300 500 250 250 | | 50 | 3 | 28 | 560
          down, succeeded pods, container | 5 | R R R R R Su Su | 1.0 | 1000/100 1000/300 1000/500 1000/250 1000/250 | container2 | 50 | 3 | 28 | 280
          down, without deleted pods      | 5 | R R R R R Rud Rud | 1.0 | 100 300 500 250 250 | | 50 | 3 | 28 | 560
          down, deleted pods, container   | 5 | R R R R R Rud Rud | 1.0 | 1000/100 1000/300 1000/500 1000/250 1000/250 | container2 | 50 | 3 | 28 | 280
          within the tolerance            | 3 | R R R         | 0.9 1.0 1.1 | 1010 1030 1020 | | 100 | 3 | 102 | 2040
          some without metrics            | 4 | R R R R       | 1.0 | 400 95      | | 100 | 3 | 24 | 495
          without metrics, as wanted      | 2 | R R           | 1.0 | 1000        | | 100 | 2 | 100 | 2000
          without metrics, above          | 2 | R R           | 1.0 | 1900        | | 100 | 2 | 190 | 3800
          without metrics, below          | 2 | R R           | 1.0 | 600         | | 100 | 2 | 60 | 1200
          superfluous metrics             | 4 | R R R R       | 1.0 | 4000 9500 3000 7000 3200 2000 | | 100 | 24 | 587 | 11750
          same, unready and missing       | 3 | Ru R R        | 1.0 | 100 450     | | 50 | 3 | 45 | 900
          same, new and missing           | 3 | Rh R R        | 1.0 | 100 450     | | 50 | 3 | 45 | 900
          up, unready and missing         | 3 | Ru R R        | 1.0 | 100 2000    | | 50 | 4 | 200 | 4000
          up, new and missing             | 3 | Ruh R R       | 1.0 | 100 2000    | | 50 | 4 | 200 | 4000
          down, unready and missing       | 4 | Ru R R R      | 1.0 | 100 100 100 | | 50 | 3 | 10 | 200
          down, more than all             | 4 | Ru R R R      | 1.0 1.0 2.0 2.0 | 200 100 100 | | 300 | 2 | 6 | 200
          same, a surge without metrics   | 2 | R R R         | 1.0 | 100 100     | | 50 | 2 | 10 | 200
          """)
  void utilization(
      String name,
      int current,
      String pods,
      String requests,
      String levels,
      @Nullable String container,
      int target,
      int replicas,
      int utilization,
      long raw) {
    String of = container == null ? "" : container;

    Proposal proposal =
        ScaledPods.of(pods, requests)
            .calculator(0.1, 0.1)
            .utilization(current, ScaledPods.samples(levels, of), "cpu", of, target);

    assertThat(proposal).as(name).isEqualTo(new Proposal(replicas, raw, utilization));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1010 1030 1020 | 0.1  | 0.1  | 3
          909 1010 1111  | 0    | 0    | 4
          1890 1910 1900 | 0.1  | 2    | 3
          1100 1080 1090 | 2    | 0.08 | 4
          660 640 650    | 0.36 | 0.1  | 3
          660 640 650    | 0.34 | 0.1  | 2
          """)
  void tolerances_areOfEachDirection(String levels, double down, double up, int replicas) {
    Proposal proposal =
        ScaledPods.of("R R R", "0.9 1.0 1.1")
            .calculator(down, up)
            .utilization(3, ScaledPods.samples(levels, ""), "cpu", "", 100);

    assertThat(proposal.replicas()).isEqualTo(replicas);
  }

  /** A tolerance that is just missed, and one that is just met. */
  @ParameterizedTest
  @CsvSource({"56, 9", "55, 10"})
  void tolerance_isExact(int target, int replicas) {
    String requests = "400m 200m 310m 290m 302m 298m 301m 299m 300m 300m";
    Proposal proposal =
        ScaledPods.of("R R R R R R R R R R", requests)
            .calculator(0.1, 0.1)
            .utilization(
                10,
                ScaledPods.samples("150 150 150 150 150 150 150 150 150 150", ""),
                "cpu",
                "",
                target);

    assertThat(proposal).isEqualTo(new Proposal(replicas, 300, 50));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          up                  | 3 | R R R     | 20000 10000 30000 | 15000 | 0.1  | 4 | 20000
          unready pods count  | 3 | R R Ruh   | 50000 10000 30000 | 15000 | 0.1  | 6 | 30000
          new pods count      | 3 | Ruh R Ruh | 50000 15000 30000 | 15000 | 0.1  | 7 | 31666
          down                | 5 | R R R R R | 12000 12000 12000 12000 12000 | 20000 | 0.1 | 3 | 12000
          within the tolerance | 3 | R R R    | 20000 21000 21000 | 20000 | 0.1  | 3 | 20666
          beyond 1 %          | 3 | R R R     | 20000 21000 21000 | 20000 | 0.01 | 4 | 20666
          some without metrics | 5 | R R R R R | 20000 19000 21000 | 20000 | 0.1 | 5 | 20000
          a surge without metrics | 2 | R R R | 10000 10000       | 17000 | 0.1  | 2 | 10000
          """)
  void average(
      String name,
      int current,
      String pods,
      String levels,
      long target,
      double up,
      int replicas,
      long usage) {
    Map<String, Sample> samples = ScaledPods.samples(levels, "container1");

    assertThat(ScaledPods.of(pods, null).calculator(0.1, up).average(current, samples, "", target))
        .as(name)
        .isEqualTo(new Proposal(replicas, usage, 0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          up                  | 3 | R R R     | 20000 | 15000 | 0.1  | 4
          beyond all          | 3 | R R R     | 9223372036854775807 | 1 | 0.1 | 2147483647
          up, ready pods      | 3 | Ru R Ru   | 50000 | 10000 | 0.1  | 5
          down                | 5 | R R R R R | 12000 | 20000 | 0.1  | 3
          within the tolerance | 3 | R R R    | 20666 | 20000 | 0.1  | 3
          beyond 1 %          | 3 | R R R     | 20666 | 20000 | 0.01 | 4
          external, ready pods | 3 | Ru R Ru  | 8600  | 4400  | 0.1  | 2
          external down       | 5 | R R R R R | 8600  | 14334 | 0.1  | 3
          external, tolerance | 3 | R R R     | 8600  | 8888  | 0.1  | 3
          external, 1 %       | 3 | R R R     | 8900  | 8800  | 0.01 | 4
          as much as possible | 3 | R R R     | 9223372036854775807 | 9223372036854775807 | 0.1 | 3
          from none           | 0 | R         | 20000 | 5000  | 0.1  | 4
          """)
  void value(
      String name, int current, String pods, long usage, long target, double up, int replicas) {
    assertThat(ScaledPods.of(pods, null).calculator(0.1, up).value(current, usage, target))
        .as(name)
        .isEqualTo(new Proposal(replicas, usage, 0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          beyond all          | 1 | 9223372036854775807 | 1 | 0.1 | 2147483647 | 9223372036854775807
          as much as possible | 1 | 9223372036854775807 | 9223372036854775807 | 0.1 | 1 | 9223372036854775807
          none                | 0 | 20000 | 5000 | 0.1  | 4 | 0
          none of nothing     | 0 | 0     | 5000 | 0.1  | 0 | 0
          up                  | 3 | 8600  | 2150 | 0.1  | 4 | 2867
          down                | 5 | 8600  | 2867 | 0.1  | 3 | 1720
          within the tolerance | 3 | 8600 | 2900 | 0.1  | 3 | 2867
          beyond 1 %          | 3 | 8600  | 2800 | 0.01 | 4 | 2867
          object up           | 3 | 20000 | 5000 | 0.1  | 4 | 6667
          object down         | 5 | 6000  | 2000 | 0.1  | 3 | 1200
          object, tolerance   | 4 | 20166 | 5000 | 0.1  | 4 | 5042
          object, 1 %         | 4 | 20208 | 5000 | 0.01 | 5 | 5052
          """)
  void share(
      String name, int current, long usage, long target, double up, int replicas, long each) {
    assertThat(ScaledPods.of("R", null).calculator(0.1, up).share(current, usage, target))
        .as(name)
        .isEqualTo(new Proposal(replicas, each, 0));
  }

  @Test
  void shareOfAPod_isRoundedUp() {
    assertThat(ReplicaCalculator.perPod(20_000, 0)).isZero();
    assertThat(ReplicaCalculator.perPod(1000, 3)).isEqualTo(334);
    assertThat(ReplicaCalculator.perPod(MAX, 1)).isEqualTo(MAX);
  }

  @Test
  void problems_areToldAsKubernetesDoes() {
    ReplicaCalculator one = ScaledPods.of("R", "1.0").calculator(0.1, 0.1);
    assertThatThrownBy(
            () -> one.utilization(1, Map.of("older", ScaledPods.sample(100)), "cpu", "", 100))
        .hasMessage("no metrics returned matched known pods");
    assertThatThrownBy(
            () ->
                ScaledPods.of("Ru", "1.0")
                    .calculator(0.1, 0.1)
                    .utilization(1, ScaledPods.samples("100", ""), "cpu", "", 100))
        .hasMessage("did not receive metrics for targeted pods (pods might be unready)");
    assertThatThrownBy(
            () ->
                ScaledPods.of("R", null)
                    .calculator(0.1, 0.1)
                    .utilization(1, ScaledPods.samples("200", ""), "cpu", "", 100))
        .hasMessage("missing request for cpu in container container1 of Pod test-pod-0");
    ReplicaCalculator none =
        new ReplicaCalculator(
            List.of(), new Tolerances(0.1, 0.1), ScaledPods.SETTINGS, ScaledPods.NOW);
    assertThatThrownBy(() -> none.average(1, Map.of(), "", 100))
        .hasMessage("no pods returned by selector while calculating replica count");
    assertThatThrownBy(() -> none.value(1, 1000, 100))
        .hasMessage(
            "unable to calculate ready pods: no pods returned by selector while calculating"
                + " replica count");
  }

  private static String ago(long seconds) {
    return ScaledPods.NOW.minusSeconds(seconds).toString();
  }

  /** Seconds before now; a window of 0 means that the sample has neither time nor window. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ready, memory                             |     |       |     | memory | 0  | 60 | ready
          no condition                              | 0   |       |     | cpu    | 0  | 0  | unready
          new, with a sample since it is ready      | 60  | True  | 30  | cpu    | 0  | 30 | ready
          new, with a sample from before            | 60  | True  | 30  | cpu    | 0  | 60 | unready
          never ready                               | 600 | False | 594 | cpu    | 0  | 0  | unready
          old, with an old sample                   | 180 | True  | 180 | cpu    | 120 | 60 | ready
          was ready                                 | 600 | False | 540 | cpu    | 0  | 0  | ready
          ready for the first time at the end       | 600 | False | 590 | cpu    | 0  | 0  | ready
          """)
  void groups(
      String name,
      @Nullable Long started,
      @Nullable String ready,
      @Nullable Long since,
      String resource,
      long sampled,
      long window,
      String group) {
    String start = started == null ? "" : "'startTime':'%s',".formatted(ago(started));
    String condition =
        ready == null || since == null
            ? ""
            : "{'type':'Ready','status':'%s','lastTransitionTime':'%s'}"
                .formatted(ready, ago(since));
    AutoscaledPod pod =
        AutoscaledPod.of(
            new ApiObject(
                CustomTypes.tree(
                    "{'metadata':{'name':'p'},'status':{%s'phase':'Running','conditions':[%s]}}"
                        .formatted(start, condition))));
    Sample sample =
        new Sample(
            1,
            window == 0 ? Instant.EPOCH : ScaledPods.NOW.minusSeconds(sampled),
            Duration.ofSeconds(window));

    Groups groups =
        new ScaledPods(List.of(pod)).calculator(0.1, 0.1).groups(Map.of("p", sample), resource);

    assertThat(groups.ready()).as(name).isEqualTo(group.equals("ready") ? 1 : 0);
    assertThat(groups.unready()).hasSize(group.equals("unready") ? 1 : 0);
    assertThat(groups.missing()).isEmpty();
    assertThat(groups.ignored()).isEmpty();
  }

  @Test
  void groups_ofPodsThatEndOrHaveNoSample() {
    Map<String, Sample> samples = new HashMap<>(ScaledPods.samples("1 1 1 1", ""));
    Groups groups =
        ScaledPods.of("Rud F S R R P", null).calculator(0.1, 0.1).groups(samples, "cpu");

    assertThat(groups.ready()).isEqualTo(1);
    assertThat(groups.ignored())
        .containsExactlyInAnyOrder("test-pod-0", "test-pod-1", "test-pod-2");
    assertThat(groups.missing()).containsExactly("test-pod-4");
    assertThat(groups.unready()).containsExactly("test-pod-5");
  }

  private static AutoscaledPod pod(String spec) {
    return AutoscaledPod.of(
        new ApiObject(CustomTypes.tree("{'metadata':{'name':'test-pod'},'spec':" + spec + "}")));
  }

  private static String containers(String first) {
    return "'containers':[{'name':'container1'%s},{'name':'container2','resources':{'requests':{'cpu':'50m'}}}]"
        .formatted(first);
  }

  private static final String FIRST = ",'resources':{'requests':{'cpu':'100m'}}";
  private static final String WHOLE = "'resources':{'requests':{'cpu':'800m'}},";

  @Test
  void requests_areOfThePodIfItHasSome_elseOfItsContainers() {
    assertThat(pod("{" + containers(FIRST) + "}").request("cpu", "")).isEqualTo(150);
    assertThat(pod("{" + WHOLE + containers(FIRST) + "}").request("cpu", "")).isEqualTo(800);
    assertThat(pod("{" + WHOLE + containers("") + "}").request("cpu", "")).isEqualTo(800);
    assertThat(pod("{" + containers(FIRST) + "}").request("cpu", "container1")).isEqualTo(100);
    assertThat(pod("{" + WHOLE + containers(FIRST) + "}").request("cpu", "container1"))
        .isEqualTo(100);
    assertThat(
            pod("{'containers':[{'name':'container1'"
                    + FIRST
                    + "}],'initContainers':[{'name':'i','resources':{'requests':{'cpu':'20m'}}},"
                    + "{'name':'s','restartPolicy':'Always','resources':{'requests':{'cpu':'50m'}}}]}")
                .request("cpu", ""))
        .isEqualTo(150);
    assertThatThrownBy(() -> pod("{" + containers("") + "}").request("cpu", ""))
        .hasMessage("missing request for cpu in container container1 of Pod test-pod");
    assertThatThrownBy(() -> pod("{" + containers(FIRST) + "}").request("cpu", "other"))
        .hasMessage("container other not found in Pod test-pod");
    assertThatThrownBy(() -> pod("{" + WHOLE + containers("") + "}").request("example.com/gpu", ""))
        .hasMessage("missing pod-level request for example.com/gpu in Pod test-pod");
  }

  @Test
  void quantities_areInThousandths() {
    assertThat(Millis.decimal(2100).value()).isEqualTo("2100m");
    assertThat(Millis.decimal(20_000).value()).isEqualTo("20");
    assertThat(Millis.binary(1024L * 1024 * 1000).value()).isEqualTo("1Mi");
    assertThat(Millis.binary(1025L * 1000).value()).isEqualTo("1025");
    assertThat(Millis.binary(1_024_333).value()).isEqualTo("1024333m");
    assertThat(Millis.sum(MAX / 2 + 1, MAX / 2 + 1)).isEqualTo(MAX);
  }
}
