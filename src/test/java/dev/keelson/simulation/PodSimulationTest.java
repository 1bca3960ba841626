package dev.keelson.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.LabelSelector;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.simulation.Behavior.Delay;
import dev.keelson.simulation.PodSimulation.Step;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class PodSimulationTest {

  private static final Instant START = Instant.parse("2026-01-02T03:04:05Z");

  private static MapNode read(String json) {
    return (MapNode)
        ObjectReader.untypedJson(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  /** The next status of a pod with a deadline of five seconds. */
  private static Step next(MapNode status, Instant now) {
    ApiObject pod =
        new ApiObject(
            read("{'metadata':{'name':'p','namespace':'n','uid':'u','generation':1},'spec':"
                    + "{'activeDeadlineSeconds':5,'restartPolicy':'Always','containers':"
                    + "[{'name':'c','image':'i'}]}}")
                .with("status", status));
    return simulation(pod, now).next("10.0.0.1", "10.1.0.1");
  }

  private static PodSimulation simulation(ApiObject pod, Instant now) {
    Behavior behavior =
        new Behavior(LabelSelector.EVERYTHING, Delay.NONE, Delay.NONE, null, Printed.NOTHING);
    return new PodSimulation(pod, behavior, now);
  }

  @Test
  void podThatIsActiveForTooLong_fails() {
    Step running = next(MapNode.EMPTY, START);
    assertThat(running.status().text("phase")).isEqualTo("Running");
    assertThat(running.due()).isEqualTo(Duration.ofSeconds(5));

    Step failed = next(running.status(), START.plusSeconds(5));

    assertThat(failed.due()).isNull();
    assertThat(failed.status().text("phase")).isEqualTo("Failed");
    assertThat(failed.status().text("reason")).isEqualTo("DeadlineExceeded");
    assertThat(failed.status().text("message"))
        .isEqualTo("Pod was active on the node longer than the specified deadline");
    MapNode container = failed.status().maps("containerStatuses").getFirst();
    assertThat(container.map("state").map("terminated").get("exitCode"))
        .isEqualTo(new Node.Int(143));
  }

  /** Who debugs a pod waits until the container that was added to it runs. */
  @Test
  void ephemeralContainer_runsOnceItIsAdded_andEndsWithItsPod() {
    MapNode before = next(MapNode.EMPTY, START).status();
    ApiObject pod =
        new ApiObject(
            read("{'metadata':{'name':'p','namespace':'n','uid':'u','generation':2},'spec':"
                    + "{'restartPolicy':'Always','containers':[{'name':'c','image':'i'}],"
                    + "'ephemeralContainers':[{'name':'debugger','image':'busybox'}]}}")
                .with("status", before));

    MapNode added = simulation(pod, START.plusSeconds(3)).next("10.0.0.1", "10.1.0.1").status();

    assertThat(added.text("phase")).isEqualTo("Running");
    assertThat(added.maps("containerStatuses")).isEqualTo(before.maps("containerStatuses"));
    MapNode told = added.maps("ephemeralContainerStatuses").getFirst();
    assertThat(told.text("name")).isEqualTo("debugger");
    assertThat(told.get("ready")).isEqualTo(Node.Bool.FALSE);
    assertThat(told.map("state").map("running").text("startedAt"))
        .isEqualTo("2026-01-02T03:04:08Z");
    PodSimulation later = simulation(pod.with("status", added), START.plusSeconds(9));
    assertThat(later.next("10.0.0.1", "10.1.0.1").status()).isEqualTo(added);
    assertThat(later.stopped().maps("ephemeralContainerStatuses").getFirst().map("state").keys())
        .containsExactly("terminated");
  }
}
