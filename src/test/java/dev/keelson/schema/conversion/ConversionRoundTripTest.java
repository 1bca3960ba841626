package dev.keelson.schema.conversion;

import static dev.keelson.schema.conversion.Versions.convert;
import static dev.keelson.schema.conversion.Versions.kind;
import static dev.keelson.schema.conversion.Versions.schema;
import static dev.keelson.schema.conversion.Versions.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.SampleObjects;
import dev.keelson.schema.codec.tree.Canonical;
import dev.keelson.schema.codec.tree.FieldValidation;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** There and back again loses nothing, whatever fields are set. */
@Timeout(120)
class ConversionRoundTripTest {

  private static final int ROUNDS = 200;

  @ParameterizedTest
  @CsvSource({
    "Deployment, extensions/v1beta1, apps/v1",
    "DaemonSet, extensions/v1beta1, apps/v1",
    "ReplicaSet, extensions/v1beta1, apps/v1",
    "Ingress, extensions/v1beta1, networking.k8s.io/v1",
    "Event, v1, events.k8s.io/v1",
    "HorizontalPodAutoscaler, autoscaling/v1, autoscaling/v2",
    "CronJob, batch/v1beta1, batch/v1"
  })
  void conversion_thereAndBack_isLossless(String kind, String old, String current) {
    roundTrips(kind(old, kind), kind(current, kind));
    roundTrips(kind(current, kind), kind(old, kind));
  }

  private static void roundTrips(GroupVersionKind from, GroupVersionKind to) {
    roundTrip(SampleObjects.fill(schema(from), from.apiVersion(), from.kind()), from, to);
    Random random = new Random(5);
    for (int i = 0; i < ROUNDS; i++) {
      roundTrip(
          SampleObjects.random(schema(from), from.apiVersion(), from.kind(), random), from, to);
    }
  }

  private static void roundTrip(MapNode sample, GroupVersionKind from, GroupVersionKind to) {
    MapNode before = Canonical.form(sound(sample), schema(from));

    MapNode there = convert(before, from, to);
    MapNode back = convert(there, to, from);

    assertThat(yaml(back)).as(yaml(there)).isEqualTo(yaml(before));
    assertThat(there.text("apiVersion")).isEqualTo(to.apiVersion());
    // nothing is dropped on the way, and everything has the type of its field
    assertThat(
            ObjectReader.tree(
                    Versions.CONVERTER.convert(new ApiObject(before), from, to).root(),
                    schema(to),
                    FieldValidation.STRICT)
                .problems())
        .isEmpty();
  }

  /**
   * The object with what only one of the versions leaves open: a selector, the types of paths, and
   * backends that name a service and one port.
   */
  private static MapNode sound(MapNode object) {
    MapNode sound = object;
    switch (object.text("kind")) {
      case "Deployment", "DaemonSet", "ReplicaSet" -> {
        if (!(object.at("spec", "selector") instanceof MapNode)) {
          sound = object.withAt(List.of("spec", "selector"), MapNode.EMPTY);
        }
      }
      // version 1 cannot tell that nothing was measured from that nobody has measured
      case "HorizontalPodAutoscaler" ->
          sound =
              Edits.edited(
                  object,
                  "status",
                  status ->
                      status.items("currentMetrics").isEmpty()
                          ? status.without("currentMetrics")
                          : status);
      case "Ingress" -> sound = Edits.edited(object, "spec", ConversionRoundTripTest::soundIngress);
      default -> {}
    }
    return sound;
  }

  private static MapNode soundIngress(MapNode spec) {
    MapNode sound = Edits.edited(spec, "defaultBackend", ConversionRoundTripTest::soundBackend);
    return Edits.editedItems(
        sound,
        "rules",
        rule ->
            Edits.edited(
                rule,
                "http",
                http ->
                    Edits.editedItems(
                        http,
                        "paths",
                        path ->
                            Edits.edited(
                                path.with("pathType", Node.text("Exact")),
                                "backend",
                                ConversionRoundTripTest::soundBackend))));
  }

  private static MapNode soundBackend(MapNode backend) {
    return Edits.edited(
        backend,
        "service",
        service ->
            service
                .with("name", Node.text("s"))
                .with(
                    "port",
                    service.map("port").has("name")
                        ? service.map("port").without("number")
                        : service.map("port")));
  }
}
