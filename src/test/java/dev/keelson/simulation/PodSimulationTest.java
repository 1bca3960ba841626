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
    Behavior behavior =
        new Behavior(LabelSelector.EVERYTHING, Delay.NONE, Delay.NONE, null, Printed.NOTHING);
    return new PodSimulation(pod, behavior, now).next("10.0.0.1", "10.1.0.1");
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
}
