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
}
