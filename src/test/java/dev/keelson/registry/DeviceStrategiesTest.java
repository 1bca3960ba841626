package dev.keelson.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.resource.ResourceClaimStrategy;
import dev.keelson.schema.codec.ObjectReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The strategies of resource.k8s.io. */
class DeviceStrategiesTest extends RegistryTest {

  private static final String VERSION = "resource.k8s.io/v1";
  private static final String RESULT =
      "{'request':'gpu','driver':'gpu.example.com','pool':'p','device':'NAME'}";
  private static final String STATUS =
      "{'driver':'gpu.example.com','pool':'p','device':'NAME','conditions':[]}";

  DeviceStrategiesTest(@TempDir Path directory) {
    super(directory);
  }

  private static ApiObject updated(ApiObject claim, String allocation, String devices) {
    return claim.with(
        "status",
        MapNode.of("allocation", json(allocation)).with("devices", json("[" + devices + "]")));
  }

  private static Node json(String text) {
    return ObjectReader.untypedJson(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void deallocatedDevices_loseTheirStatus() {
    ApiObject claim = api.smallest(VERSION, "resourceclaims", "c");
    ApiObject allocated =
        updated(
            claim,
            "{'devices':{'results':["
                + RESULT.replace("NAME", "a")
                + ","
                + RESULT.replace("NAME", "b")
                + "]}}",
            STATUS.replace("NAME", "a") + "," + STATUS.replace("NAME", "b"));
    ApiObject reduced =
        updated(
            claim,
            "{'devices':{'results':[" + RESULT.replace("NAME", "b") + "]}}",
            STATUS.replace("NAME", "a") + "," + STATUS.replace("NAME", "b"));

    ApiObject kept = new ResourceClaimStrategy().prepareForUpdate(reduced, allocated);

    assertThat(kept.root().map("status").items("devices"))
        .singleElement()
        .satisfies(device -> assertThat(((MapNode) device).text("device")).isEqualTo("b"));
  }

  @Test
  void claim_forgetsTheStatusOfItsCreator() {
    ApiObject claim =
        api.create(
            VERSION,
            "resourceclaims",
            "default",
            api.smallest(VERSION, "resourceclaims", "c")
                .with("status", MapNode.of("allocation", MapNode.EMPTY)));

    assertThat(claim.root().map("status").isEmpty()).isTrue();
  }

  @Test
  void taint_withoutATime_getsOne() {
    api.clock().advance(Duration.ofMillis(1500));
    ApiObject slice =
        api.create(
            VERSION,
            "resourceslices",
            "",
            """
            {'metadata':{'name':'s'},'spec':{'driver':'d','nodeName':'n',
             'pool':{'name':'n','generation':1,'resourceSliceCount':1},
             'devices':[{'name':'a','taints':[{'key':'k','effect':'NoSchedule'},
              {'key':'l','effect':'None','timeAdded':'2020-01-01T00:00:00Z'}]}]}}
            """);

    MapNode device = (MapNode) slice.root().map("spec").items("devices").get(0);
    List<String> times =
        device.items("taints").stream().map(each -> ((MapNode) each).text("timeAdded")).toList();
    assertThat(times.get(0))
        .isEqualTo(api.clock().instant().truncatedTo(ChronoUnit.SECONDS).toString());
    assertThat(times.get(1)).isEqualTo("2020-01-01T00:00:00Z");
  }

  @Test
  void generation_countsChangesOfClassesAndSlices() {
    ApiObject deviceClass = api.createSmallest(VERSION, "deviceclasses", "", "c");
    ApiObject changed =
        api.replace(
            VERSION,
            "deviceclasses",
            "",
            "c",
            deviceClass.with(
                "spec", MapNode.of("extendedResourceName", Node.text("example.com/gpu"))));

    assertThat(deviceClass.meta().generation()).isEqualTo(1);
    assertThat(changed.meta().generation()).isEqualTo(2);
    assertThat(api.createSmallest(VERSION, "resourceslices", "", "s").meta().generation())
        .isEqualTo(1);
  }
}
