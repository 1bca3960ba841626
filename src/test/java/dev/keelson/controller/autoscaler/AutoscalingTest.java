package dev.keelson.controller.autoscaler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.LabelSelector;
import dev.keelson.api.Reason;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.controller.autoscaler.Autoscaling.Surroundings;
import dev.keelson.controller.autoscaler.ScaleTarget.Scale;
import dev.keelson.controller.event.EventRecorder.Type;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.CustomTypes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rows are the cases of Kubernetes' {@code podautoscaler/horizontal_test.go}. */
final class AutoscalingTest {

  private static final String CPU = "cpu 30";

  /** A cluster with one workload and one autoscaler. */
  private static final class Scene implements Surroundings, MetricReadings {

    private final int replicas;
    private final ScaledPods pods;
    private final @Nullable String levels;
    private final List<String> events = new ArrayList<>();
    private ScalingHistory history = new ScalingHistory(() -> ScaledPods.NOW);
    private String selector = "name=test-pod";
    private List<ObjectName> selecting = List.of(new ObjectName("ns", "hpa"));
    private @Nullable ApiException scaleError;
    private @Nullable ApiException rescaleError;
    private @Nullable String metricError;
    private @Nullable Integer rescaled;
    private AutoscalerSettings settings = ScaledPods.SETTINGS;

    /** The conditions of the status before, as JSON. */
    private String before = "";

    private MapNode status = MapNode.EMPTY;

    Scene(int replicas, String pods, @Nullable String requests, @Nullable String levels) {
      this.replicas = replicas;
      this.pods = ScaledPods.of(pods, requests);
      this.levels = levels;
      // one that is too old to count, so that the first replicas are no recommendation
      history.recommended(1, ScaledPods.NOW.minus(Duration.ofHours(1)));
    }

    /** Looks at it once; the metrics are separated by semicolons. */
    Scene look(int min, int max, String metrics, String behavior) {
      String specs =
          Stream.of(metrics.split(";", -1))
              .map(each -> metric(each.strip()))
              .collect(Collectors.joining(","));
      ApiObject autoscaler =
          new ApiObject(
              CustomTypes.tree(
                  ("{'metadata':{'name':'hpa','namespace':'ns'},'spec':{'scaleTargetRef':{'kind':"
                          + "'Deployment','apiVersion':'apps/v1','name':'web'},'minReplicas':%d,"
                          + "'maxReplicas':%d,'metrics':[%s]%s},'status':%s}")
                      .formatted(
                          min,
                          max,
                          specs,
                          behavior.isEmpty() ? "" : ",'behavior':" + behavior,
                          "{'currentReplicas':"
                              + replicas
                              + ",'desiredReplicas':"
                              + replicas
                              + (before.isEmpty() ? "" : ",'conditions':[" + before + "]")
                              + "}")));
      try {
        status = new Autoscaling(autoscaler, history, this, settings, ScaledPods.NOW).look();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return this;
    }

    int desired() {
      return status.get("desiredReplicas") instanceof Node.Int number ? (int) number.value() : -1;
    }

    /** {@code Reason} of each condition, with {@code !} before one that is false. */
    String conditions() {
      return status.maps("conditions").stream()
          .map(
              each -> {
                assertThat(each.text("lastTransitionTime")).isEqualTo(ScaledPods.NOW.toString());
                return (each.text("status").equals("True") ? "" : "!") + each.text("reason");
              })
          .collect(Collectors.joining(" "));
    }

    @Override
    public Scale scale(String namespace, MapNode target) {
      if (scaleError != null) {
        throw scaleError;
      }
      return new Scale(
          new GroupVersion("apps", "v1").resource("deployments"),
          new ApiObject(
              CustomTypes.tree(
                  "{'metadata':{'name':'web','namespace':'ns'},'spec':{'replicas':%d},'status':{'replicas':%d,'selector':'%s'}}"
                      .formatted(replicas, replicas, selector))));
    }

    @Override
    public void rescale(Scale scale, int wanted) {
      if (rescaleError != null) {
        throw rescaleError;
      }
      rescaled = wanted;
    }

    @Override
    public List<AutoscaledPod> pods(String namespace, String text) {
      return pods.pods();
    }

    @Override
    public MetricReadings metrics() {
      return this;
    }

    @Override
    public List<ObjectName> selecting(
        ObjectName name, LabelSelector labels, List<AutoscaledPod> selected) {
      return selecting;
    }

    @Override
    public void event(Type type, String reason, String message) {
      events.add(type + " " + reason + " " + message);
    }

    @Override
    public Map<String, Sample> resource(
        String resource, String namespace, String text, String container) {
      return ScaledPods.samples(levels, container);
    }

    @Override
    public Map<String, Sample> pods(String metric, String namespace, String text, String labels) {
      failIfWanted();
      return ScaledPods.samples(levels, "container1");
    }

    @Override
    public long object(String metric, String namespace, Described object, String labels) {
      failIfWanted();
      assertThat(object)
          .isEqualTo(new Described(new GroupVersion("apps", "v1"), "Deployment", "some"));
      return all().getFirst();
    }

    @Override
    public List<Long> external(String metric, String namespace, String labels) {
      failIfWanted();
      assertThat(labels).isEqualTo("a=b");
      return all();
    }

    private void failIfWanted() {
      if (metricError != null) {
        throw new MetricException(metricError);
      }
    }

    private List<Long> all() {
      return levels == null
          ? List.of()
          : Stream.of(levels.split(" ", -1)).map(Long::parseLong).toList();
    }
  }

  /** A metric, such as {@code cpu 30}, {@code container1 cpu 30} or {@code pods average 15}. */
  private static String metric(String text) {
    String[] words = text.split(" ", -1);
    String target = words[words.length - 1];
    boolean average = words.length > 2 && words[1].equals("average");
    String quantity =
        average
            ? "{'type':'AverageValue','averageValue':'%s'}".formatted(target)
            : "{'type':'Value','value':'%s'}".formatted(target);
    String share = "{'type':'Utilization','averageUtilization':%s}".formatted(target);
    return switch (words[0]) {
      case "cpu" ->
          "{'type':'Resource','resource':{'name':'cpu','target':%s}}"
              .formatted(average ? quantity : share);
      case "pods" ->
          "{'type':'Pods','pods':{'metric':{'name':'qps'},'target':%s}}".formatted(quantity);
      case "object" ->
          ("{'type':'Object','object':{'metric':{'name':'qps'},'describedObject':{'apiVersion':"
                  + "'apps/v1','kind':'Deployment','name':'some'},'target':%s}}")
              .formatted(quantity);
      case "external" ->
          ("{'type':'External','external':{'metric':{'name':'qps','selector':{'matchLabels':{'a':"
                  + "'b'}}},'target':%s}}")
              .formatted(quantity);
      default ->
          "{'type':'ContainerResource','containerResource':{'name':'cpu','container':'%s','target':%s}}"
              .formatted(words[0], share);
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          up                         | 2 | 6 | 3 | R R R     | 1.0 | 300 500 700 | cpu 30 | 5 | SucceededRescale ValidMetricFound !DesiredWithinRange
          up, unready                | 2 | 6 | 3 | Ru R R    | 1.0 | 300 500 700 | cpu 30 | 4 | SucceededRescale ValidMetricFound !DesiredWithinRange
          up, new                    | 2 | 6 | 3 | Rh R R    | 1.0 | 300 500 700 | cpu 30 | 4 | SucceededRescale ValidMetricFound !DesiredWithinRange
          up, failed                 | 2 | 6 | 2 | R R Fu Fu | 1.0 | 500 700     | cpu 30 | 4 | SucceededRescale ValidMetricFound !DesiredWithinRange
          up, deleted                | 2 | 6 | 2 | R R Rud Rud | 1.0 | 500 700   | cpu 30 | 4 | SucceededRescale ValidMetricFound !DesiredWithinRange
          up, container              | 2 | 6 | 3 | R R R     | 1.0 | 300 500 700 | container1 30 | 5 | SucceededRescale ValidMetricFound !DesiredWithinRange
          same, unready              | 2 | 6 | 3 | R Ru Ru   | 1.0 | 400 500 700 | cpu 30 | 3 | ReadyForNewScale ValidMetricFound !DesiredWithinRange
          same, new and unready      | 2 | 6 | 3 | R Ruh Ruh | 1.0 | 400 500 700 | cpu 30 | 3 | ReadyForNewScale ValidMetricFound !DesiredWithinRange
          up, pods                   | 2 | 6 | 3 | R R R     | 1.0 | 20000 10000 30000 | pods average 15 | 4 | SucceededRescale ValidMetricFound !DesiredWithinRange
          up, pods, unready count    | 2 | 6 | 3 | R R Ruh   | 1.0 | 50000 10000 30000 | pods average 15 | 6 | SucceededRescale ValidMetricFound !DesiredWithinRange
          up, pods, to the maximum   | 2 | 6 | 3 | Ruh R Ruh | 1.0 | 50000 15000 30000 | pods average 15 | 6 | SucceededRescale ValidMetricFound TooManyReplicas
          up, object                 | 2 | 6 | 3 | R R R     | 1.0 | 20000 | object 15000m | 4 | SucceededRescale ValidMetricFound !DesiredWithinRange
          up, object for each        | 2 | 6 | 3 | R R R     | 1.0 | 40000 | object average 10000m | 4 | SucceededRescale ValidMetricFound !DesiredWithinRange
          up, external               | 2 | 6 | 3 | R R R     | 1.0 | 8600  | external 6666m | 4 | SucceededRescale ValidMetricFound !DesiredWithinRange
          up, external for each      | 2 | 6 | 3 | R R R     | 1.0 | 8600  | external average 2222m | 4 | SucceededRescale ValidMetricFound !DesiredWithinRange
          down                       | 2 | 6 | 5 | R R R R R | 1.0 | 100 300 500 250 250 | cpu 50 | 3 | SucceededRescale ValidMetricFound !DesiredWithinRange
          down, container            | 2 | 6 | 5 | R R R R R | 1.0 | 100 300 500 250 250 | container2 50 | 3 | SucceededRescale ValidMetricFound !DesiredWithinRange
          down, unready              | 2 | 6 | 5 | R R R Ru Ru | 1.0 | 100 300 500 250 250 | cpu 50 | 2 | SucceededRescale ValidMetricFound !DesiredWithinRange
          down, new                  | 2 | 6 | 5 | R R R Rh Rh | 1.0 | 100 300 500 250 250 | cpu 50 | 2 | SucceededRescale ValidMetricFound !DesiredWithinRange
          down, failed               | 2 | 6 | 5 | R R R R R Fu Fu | 1.0 | 100 300 500 250 250 | cpu 50 | 3 | SucceededRescale ValidMetricFound !DesiredWithinRange
          down, deleted              | 2 | 6 | 5 | R R R R R Rud Rud | 1.0 | 100 300 500 250 250 | cpu 50 | 3 | SucceededRescale ValidMetricFound !DesiredWithinRange
          down, pods                 | 2 | 6 | 5 | R R R R R | 1.0 | 12000 12000 12000 12000 12000 | pods average 20 | 3 | SucceededRescale ValidMetricFound !DesiredWithinRange
          down, object               | 2 | 6 | 5 | R R R R R | 1.0 | 12000 | object 20 | 3 | SucceededRescale ValidMetricFound !DesiredWithinRange
          down, object for each      | 2 | 6 | 5 | R R R R R | 1.0 | 60000 | object average 20000m | 3 | SucceededRescale ValidMetricFound !DesiredWithinRange
          down, external             | 2 | 6 | 5 | R R R R R | 1.0 | 8600 | external 14400m | 3 | SucceededRescale ValidMetricFound !DesiredWithinRange
          down, external for each    | 2 | 6 | 5 | R R R R R | 1.0 | 8600 | external average 3000m | 3 | SucceededRescale ValidMetricFound !DesiredWithinRange
          to none, object            | 0 | 6 | 5 | R R R R R | 1.0 | 0 | object 20 | 0 | SucceededRescale ValidMetricFound !DesiredWithinRange
          to none, external          | 0 | 6 | 5 | R R R R R | 1.0 | 0 | external 14400m | 0 | SucceededRescale ValidMetricFound !DesiredWithinRange
          tolerance                  | 1 | 5 | 3 | R R R     | 0.9 1.0 1.1 | 1010 1030 1020 | cpu 100 | 3 | ReadyForNewScale ValidMetricFound !DesiredWithinRange
          tolerance, pods            | 1 | 5 | 3 | R R R     | 1.0 | 20000 20001 21000 | pods average 20 | 3 | ReadyForNewScale ValidMetricFound !DesiredWithinRange
          tolerance, object          | 1 | 5 | 3 | R R R     | 1.0 | 20050 | object 20 | 3 | ReadyForNewScale ValidMetricFound !DesiredWithinRange
          tolerance, object for each | 1 | 5 | 4 | R R R R   | 1.0 | 80166 | object average 20 | 4 | ReadyForNewScale ValidMetricFound !DesiredWithinRange
          tolerance, external        | 2 | 6 | 4 | R R R R   | 1.0 | 8600 | external 8666m | 4 | ReadyForNewScale ValidMetricFound !DesiredWithinRange
          tolerance, external each   | 2 | 6 | 4 | R R R R   | 1.0 | 8600 | external average 2200m | 4 | ReadyForNewScale ValidMetricFound !DesiredWithinRange
          minimum                    | 2 | 5 | 3 | R R R     | 0.9 1.0 1.1 | 10 95 10 | cpu 90 | 2 | SucceededRescale ValidMetricFound TooFewReplicas
          none                       | 0 | 5 | 3 | R R R     | 0.9 1.0 1.1 | 0 0 0 | cpu 90 | 0 | SucceededRescale ValidMetricFound !DesiredWithinRange
          minimum for none           | 2 | 5 | 3 | R R R     | 0.9 1.0 1.1 | 0 0 0 | cpu 90 | 2 | SucceededRescale ValidMetricFound TooFewReplicas
          switched off               | 3 | 5 | 0 | R         | 1.0 | 100 | cpu 90 | 0 | SucceededGetScale !ScalingDisabled
          below the minimum          | 3 | 5 | 2 | R R       | 1.0 | 0   | cpu 90 | 3 | SucceededRescale
          above the maximum          | 3 | 5 | 10 | R R      | 1.0 | 0   | cpu 90 | 5 | SucceededRescale
          maximum                    | 2 | 5 | 3 | R R R     | 0.9 1.0 1.1 | 8000 9500 1000 | cpu 90 | 5 | SucceededRescale ValidMetricFound TooManyReplicas
          superfluous metrics        | 2 | 6 | 4 | R R R R   | 1.0 | 4000 9500 3000 7000 3200 2000 | cpu 100 | 6 | SucceededRescale ValidMetricFound TooManyReplicas
          missing metrics            | 2 | 6 | 4 | R R R R   | 1.0 | 400 95 | cpu 100 | 3 | SucceededRescale ValidMetricFound !DesiredWithinRange
          no metrics                 | 2 | 6 | 4 | R R R R   | 1.0 |  | cpu 100 | 4 | SucceededGetScale !FailedGetResourceMetric
          no requests                | 1 | 5 | 3 | R R R     |     | 200 | cpu 100 | 3 | SucceededGetScale !FailedGetResourceMetric
          rate                       | 1 | 100 | 3 | R R R   | 0.1 | 500 500 500 | cpu 10 | 6 | SucceededRescale ValidMetricFound ScaleUpLimit
          the higher metric          | 1 | 5 | 3 | R R R     | 1.0 | 20000 10000 30000 | cpu 10;pods average 15 | 5 | SucceededRescale ValidMetricFound TooManyReplicas
          """)
  void look(
      String name,
      int min,
      int max,
      int replicas,
      String pods,
      @Nullable String requests,
      @Nullable String levels,
      String metrics,
      int desired,
      String conditions) {
    Scene scene = new Scene(replicas, pods, requests, levels).look(min, max, metrics, "");

    assertThat(scene.desired()).as(name).isEqualTo(desired);
    assertThat(scene.conditions()).as(name).isEqualTo(conditions);
    assertThat(scene.rescaled).isEqualTo(desired == replicas ? null : Integer.valueOf(desired));
    assertThat(scene.status.has("lastScaleTime")).isEqualTo(desired != replicas);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1010 1030 1020 | 0.9 1.0 1.1 | {'scaleUp':{'tolerance':'0.01','policies':[{'type':'Pods','value':4,'periodSeconds':60}]}}   | 4 | SucceededRescale
          300 300 300    | 1.0         | {'scaleDown':{'tolerance':'0.9','policies':[{'type':'Percent','value':100,'periodSeconds':60}]}} | 3 | ReadyForNewScale
          1010 1030 1020 | 0.9 1.0 1.1 | {'scaleUp':{'policies':[{'type':'Pods','value':4,'periodSeconds':60}]}} | 3 | ReadyForNewScale
          """)
  void tolerance_ofTheBehavior(
      String levels, String requests, String behavior, int desired, String able) {
    Scene scene = new Scene(3, "R R R", requests, levels).look(1, 5, "cpu 100", behavior);

    assertThat(scene.desired()).isEqualTo(desired);
    assertThat(scene.conditions()).startsWith(able + " ");
  }

  private static Scene toZero(int replicas, String pods, String level, boolean atZero) {
    Scene scene = new Scene(replicas, pods, "1.0", level);
    scene.settings = ScaledPods.TO_ZERO;
    if (atZero) {
      scene.before =
          "{'type':'ScaledToZero','status':'True','lastTransitionTime':'%s','reason':'ScaledToZero'}"
              .formatted(ScaledPods.NOW);
    }
    return scene;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          to zero                       | 0 | 2 | 0     | false | external 10 | 0 | SucceededRescale ValidMetricFound !DesiredWithinRange ScaledToZero
          to zero, object               | 0 | 2 | 0     | false | object 10   | 0 | SucceededRescale ValidMetricFound !DesiredWithinRange ScaledToZero
          to fewer                      | 0 | 2 | 5000  | false | external 10 | 1 | SucceededRescale ValidMetricFound !DesiredWithinRange !NotScaledToZero
          from zero                     | 0 | 0 | 30000 | true  | external 10 | 3 | !NotScaledToZero SucceededRescale ValidMetricFound !DesiredWithinRange
          from zero, object             | 0 | 0 | 30000 | true  | object 10   | 3 | !NotScaledToZero SucceededRescale ValidMetricFound !DesiredWithinRange
          stays at zero                 | 0 | 0 | 0     | true  | external 10 | 0 | ScaledToZero ReadyForNewScale ValidMetricFound !DesiredWithinRange
          a user has set zero           | 0 | 0 | 30000 | false | external 10 | 0 | SucceededGetScale !ScalingDisabled
          a minimum since               | 2 | 0 | 10000 | true  | external 10 | 2 | !NotScaledToZero SucceededRescale ValidMetricFound TooFewReplicas
          only metrics of pods          | 0 | 0 | 30000 | true  | cpu 10      | 0 | ScaledToZero SucceededGetScale !ScalingDisabled
          """)
  void workload_goesToZero_andOnlyFromAZeroOfTheAutoscaler(
      String name,
      int min,
      int replicas,
      String level,
      boolean atZero,
      String metric,
      int desired,
      String conditions) {
    Scene scene = toZero(replicas, replicas == 0 ? "Rd" : "R R", level, atZero);

    scene.look(min, 5, metric, "");

    assertThat(scene.desired()).as(name).isEqualTo(desired);
    assertThat(scene.conditions()).as(name).isEqualTo(conditions);
    assertThat(scene.rescaled).isEqualTo(desired == replicas ? null : Integer.valueOf(desired));
  }

  @Test
  void zeroOfTheAutoscaler_isForgottenWithoutTheFeature() {
    Scene scene = toZero(0, "Rd", "30000", /* atZero= */ true);
    scene.settings = ScaledPods.SETTINGS;

    scene.look(0, 5, "external 10", "");

    assertThat(scene.conditions()).isEqualTo("SucceededGetScale !ScalingDisabled");
    assertThat(scene.rescaled).isNull();
  }

  @Test
  void recommendations_delayFewerPods() {
    Scene scene = new Scene(4, "R R R R", "0.1", "50 50 50 50");
    scene.history.recommended(10, ScaledPods.NOW.minus(Duration.ofMinutes(10)));
    scene.history.recommended(4, ScaledPods.NOW.minus(Duration.ofMinutes(1)));

    scene.look(1, 5, "cpu 100", "");

    assertThat(scene.desired()).isEqualTo(4);
    assertThat(scene.conditions())
        .isEqualTo("ScaleDownStabilized ValidMetricFound !DesiredWithinRange");
  }

  @Test
  void firstReplicas_areARecommendation() {
    Scene scene = new Scene(5, "R R R R R", "1.0", "100 300 500 250 250");
    scene.history = new ScalingHistory(() -> ScaledPods.NOW);

    scene.look(2, 6, "cpu 50", "");

    assertThat(scene.desired()).isEqualTo(5);
    assertThat(scene.conditions())
        .isEqualTo("ScaleDownStabilized ValidMetricFound !DesiredWithinRange");
  }

  @Test
  void scaleThatCannotBeRead_isSaid_andNothingElseChanges() {
    Scene scene = new Scene(3, "R R R", "0.1", "100 200 300");
    scene.scaleError = new ApiException(Reason.UNKNOWN, "something went wrong");

    scene.look(1, 100, "cpu 10", "");

    assertThat(scene.conditions()).isEqualTo("!FailedGetScale");
    assertThat(scene.desired()).isEqualTo(3);
    assertThat(scene.events).containsExactly("WARNING FailedGetScale something went wrong");
    assertThat(scene.status.maps("conditions").getFirst().text("message"))
        .isEqualTo(
            "the HPA controller was unable to get the target's current scale: something went"
                + " wrong");
  }

  @Test
  void scaleThatCannotBeWritten_isSaid() {
    Scene scene = new Scene(3, "R R R", "0.1", "150 150 150");
    scene.rescaleError = new ApiException(Reason.UNKNOWN, "something went wrong");

    scene.look(1, 5, "cpu 100", "");

    assertThat(scene.conditions())
        .isEqualTo("!FailedUpdateScale ValidMetricFound !DesiredWithinRange");
    assertThat(scene.desired()).isEqualTo(3);
    assertThat(scene.events)
        .containsExactly(
            "WARNING FailedRescale New size: 5; reason: cpu resource utilization (percentage of"
                + " request) above target; error: something went wrong");
  }

  @Test
  void selectors_mustBeThereValidAndOfOneAutoscaler() {
    Scene none = new Scene(3, "R R R", "1.0", "100 100 100");
    none.selector = "";
    none.look(1, 5, CPU, "");
    assertThat(none.conditions()).isEqualTo("SucceededGetScale !InvalidSelector");
    assertThat(none.events)
        .containsExactly(
            "WARNING SelectorRequired selector is required",
            "WARNING FailedComputeMetricsReplicas selector is required");

    Scene invalid = new Scene(3, "R R R", "1.0", "100 100 100");
    invalid.selector = "cheddar cheese";
    invalid.look(1, 5, CPU, "");
    assertThat(invalid.conditions()).isEqualTo("SucceededGetScale !InvalidSelector");

    Scene shared = new Scene(3, "R R R", "1.0", "100 100 100");
    shared.selecting = List.of(new ObjectName("ns", "hpa"), new ObjectName("ns", "other"));
    shared.look(1, 5, CPU, "");
    assertThat(shared.conditions()).isEqualTo("SucceededGetScale !AmbiguousSelector");
    assertThat(shared.events)
        .contains(
            "WARNING AmbiguousSelector pods by selector name=test-pod are controlled by multiple"
                + " HPAs: [ns/hpa ns/other]");
    assertThat(shared.rescaled).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          pods average 15        | !FailedGetPodsMetric     | unable to get metric qps: no metrics | failed to get pods metric value: unable to get metric qps: no metrics
          object 15              | !FailedGetObjectMetric   | unable to get metric qps on Deployment ns/some: no metrics | failed to get object metric value: unable to get metric qps on Deployment ns/some: no metrics
          external 15            | !FailedGetExternalMetric | unable to get external metric ns/qps/&LabelSelector{MatchLabels:map[string]string{a: b,},MatchExpressions:[]LabelSelectorRequirement{},}: no metrics | failed to get qps external metric value: failed to get external metric qps: unable to get external metric ns/qps/&LabelSelector{MatchLabels:map[string]string{a: b,},MatchExpressions:[]LabelSelectorRequirement{},}: no metrics
          """)
  void metricsThatCannotBeRead_areSaid(String metric, String reason, String problem, String error) {
    Scene scene = new Scene(3, "R R R", "1.0", "100 100 100");
    scene.metricError = "no metrics";

    scene.look(1, 5, metric, "");

    assertThat(scene.conditions()).isEqualTo("SucceededGetScale " + reason);
    assertThat(scene.status.maps("conditions").getLast().text("message"))
        .isEqualTo("the HPA was unable to compute the replica count: " + problem);
    assertThat(scene.events)
        .containsExactly(
            "WARNING " + reason.substring(1) + " " + problem,
            "WARNING FailedComputeMetricsReplicas invalid metrics (1 invalid out of 1), first"
                + " error is: "
                + error);
    assertThat(scene.status.maps("currentMetrics"))
        .containsExactly(CustomTypes.tree("{'type':''}"));
  }

  @Test
  void metricThatFails_preventsFewerPodsButNotMore() {
    Scene up = new Scene(3, "R R R", "1.0", "300 400 500");
    up.metricError = "something went wrong";
    up.look(2, 6, "external 100m;cpu 30", "");
    assertThat(up.rescaled).isEqualTo(4);
    assertThat(up.conditions()).isEqualTo("SucceededRescale ValidMetricFound !DesiredWithinRange");

    Scene down = new Scene(5, "R R R R R", "1.0", "100 300 500 250 250");
    down.metricError = "something went wrong";
    down.look(2, 6, "external 1000m;cpu 50", "");
    assertThat(down.rescaled).isNull();
    assertThat(down.conditions()).isEqualTo("SucceededGetScale !FailedGetExternalMetric");
  }

  @Test
  void status_hasTheCurrentMetrics() {
    Scene scene =
        new Scene(3, "R R R", "1.0", "300 500 700")
            .look(2, 6, "cpu 30;external 100;cpu average 1", "");

    assertThat(scene.status.maps("currentMetrics"))
        .containsExactly(
            CustomTypes.tree(
                "{'type':'Resource','resource':{'name':'cpu','current':{'averageUtilization':50,"
                    + "'averageValue':'1'}}}"),
            CustomTypes.tree(
                "{'type':'External','external':{'metric':{'name':'qps','selector':{'matchLabels':{'a':'b'}}},"
                    + "'current':{'value':'1500m'}}}"),
            CustomTypes.tree(
                "{'type':'Resource','resource':{'name':'cpu','current':{'averageValue':'1'}}}"));
    assertThat(scene.events)
        .containsExactly(
            "NORMAL SuccessfulRescale New size: 5; reason: cpu resource utilization (percentage of"
                + " request) above target");
  }
}
