package dev.keelson.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.LabelSelector;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.simulation.Behavior.Delay;
import dev.keelson.simulation.Behavior.End;
import dev.keelson.simulation.ContainerSimulation.Outcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContainerSimulationTest {

  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  private static MapNode read(String json) {
    return (MapNode)
        ObjectReader.untypedJson(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private static ApiObject pod(int containers) {
    return new ApiObject(
        read(
            "{'metadata':{'name':'p','namespace':'n','uid':'u'},'spec':{'restartPolicy':'Always',"
                + "'containers':["
                + "{'name':'c'},".repeat(containers - 1)
                + "{'name':'c'}]}}"));
  }

  private static Outcome next(int containers, String before, String message) {
    End end = new End(Delay.NONE, 1, 3, message, false);
    Behavior behavior =
        new Behavior(LabelSelector.EVERYTHING, Delay.NONE, Delay.NONE, end, Printed.NOTHING);
    return new ContainerSimulation(
            pod(containers), read("{'name':'c','image':'i'}"), read(before), behavior, NOW)
        .next();
  }

  private static String ended(int containers, String message) {
    String running = "{'state':{'running':{'startedAt':'2026-01-02T03:00:00Z'}}}";
    return next(containers, running, message)
        .status()
        .map("state")
        .map("terminated")
        .text("message");
  }

  /** 4,096 bytes of one container, 12 kB of all, and no half of a character. */
  @ParameterizedTest
  @CsvSource({"1, 1365", "3, 1365", "4, 1024", "12, 341"})
  void messages_endWithWholeCharacters(int containers, int expected) {
    assertThat(ended(containers, "\u20ac".repeat(2000))).isEqualTo("\u20ac".repeat(expected));
  }

  @Test
  void shortMessage_isWhole() {
    assertThat(ended(1, "out of luck")).isEqualTo("out of luck");
  }

  @ParameterizedTest
  @CsvSource({"1, 10", "2, 20", "5, 160", "6, 300", "50, 300"})
  void restarts_waitLongerEachTime(int restarts, int seconds) {
    Outcome outcome = next(1, crashed(restarts, "2026-01-02T03:00:00Z"), "");

    assertThat(outcome.due()).isEqualTo(Duration.ofSeconds(seconds));
    assertThat(outcome.status().map("state").map("waiting").text("reason"))
        .isEqualTo("CrashLoopBackOff");
  }

  @Test
  void containerThatRanForMoreThanTenMinutes_isRestartedAtOnce() {
    Outcome outcome = next(1, crashed(5, "2026-01-02T02:54:04Z"), "");

    assertThat(outcome.status().get("restartCount")).isEqualTo(new Node.Int(6));
  }

  private static String crashed(int restarts, String started) {
    return ("{'restartCount':%d,'state':{'terminated':{'exitCode':3,'startedAt':'%s',"
            + "'finishedAt':'2026-01-02T03:04:05Z'}}}")
        .formatted(restarts, started);
  }

  /**
   * The next status of a container that runs and is ready.
   *
   * @param generation of the pod, whose status tells of the first one
   */
  private static MapNode running(int generation, String container, String before) {
    ApiObject pod =
        new ApiObject(
            read(
                ("{'metadata':{'name':'p','namespace':'n','uid':'u','generation':%d},'spec':"
                        + "{'restartPolicy':'Always','containers':[{'name':'c'}]},"
                        + "'status':{'observedGeneration':1}}")
                    .formatted(generation)));
    Behavior behavior =
        new Behavior(LabelSelector.EVERYTHING, Delay.NONE, Delay.NONE, null, Printed.NOTHING);
    String state = "'state':{'running':{'startedAt':'2026-01-02T03:00:00Z'}}";
    return new ContainerSimulation(
            pod,
            read("{'name':'c'," + container + "}"),
            read("{" + before + "," + state + "}"),
            behavior,
            NOW)
        .next()
        .status();
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "2, 1"})
  void newImage_restartsTheContainer_onceThePodHasAnotherGeneration(int generation, int restarts) {
    MapNode status = running(generation, "'image':'new'", "'image':'old'");

    assertThat(status.get("restartCount")).isEqualTo(new Node.Int(restarts));
    assertThat(status.text("image")).isEqualTo("new");
    assertThat(status.map("lastState").has("terminated")).isEqualTo(restarts == 1);
  }

  @Test
  void runningContainer_hasWhatItAsksFor() {
    MapNode status =
        running(1, "'resources':{'requests':{'cpu':'1'},'limits':{'cpu':'2'}}", "'image':''");

    assertThat(status.map("allocatedResources")).isEqualTo(read("{'cpu':'1'}"));
    assertThat(status.map("resources"))
        .isEqualTo(read("{'requests':{'cpu':'1'},'limits':{'cpu':'2'}}"));
    assertThat(running(1, "'image':'i'", "'image':'i'").has("resources")).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"cpu, NotRequired, 0", "cpu, RestartContainer, 1", "memory, RestartContainer, 0"})
  void resize_restartsTheContainer_ifItsPolicySaysSo(String resource, String policy, int restarts) {
    String container =
        "'resizePolicy':[{'resourceName':'%s','restartPolicy':'%s'}],".formatted(resource, policy)
            + "'resources':{'requests':{'cpu':'2','memory':'1Gi'}}";

    MapNode status = running(2, container, "'resources':{'requests':{'cpu':'1','memory':'1Gi'}}");

    assertThat(status.get("restartCount")).isEqualTo(new Node.Int(restarts));
    assertThat(status.map("resources").map("requests").text("cpu")).isEqualTo("2");
  }
}
