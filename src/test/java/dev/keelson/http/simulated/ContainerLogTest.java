package dev.keelson.http.simulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.ApiException;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContainerLogTest {

  private static final String RUNNING = "'state':{'running':{'startedAt':'2026-01-02T03:04:05Z'}}";
  private static final String ENDED =
      "{'terminated':{'exitCode':3,'message':'out of luck','startedAt':'2026-01-02T03:04:05Z',"
          + "'finishedAt':'2026-01-02T03:05:00Z'}}";

  private static MapNode pod(String field, String state) {
    String json =
        "{'metadata':{'name':'p'},'status':{'%s':[{'name':'c','image':'nginx:1',%s}]}}"
            .formatted(field, state);
    return (MapNode)
        ObjectReader.untypedJson(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private static MapNode pod(String state) {
    return pod("containerStatuses", state);
  }

  private static LogWindow window(
      boolean timestamps, @Nullable Instant since, @Nullable Long tail, @Nullable Long limit) {
    return new LogWindow(false, false, since, timestamps, tail, limit);
  }

  private static String text(ContainerLog log, LogWindow window) {
    return new String(log.bytes(window, 0, 0), StandardCharsets.UTF_8);
  }

  @Test
  void runningContainer_saysThatItIsSimulated() {
    ContainerLog log = ContainerLog.of(pod(RUNNING), "c", false, "");

    assertThat(text(log, window(false, null, null, null)))
        .isEqualTo("Simulated container c of the image nginx:1 started. No process runs in it.\n");
    assertThat(log.over()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"})
  void endedContainer_saysHow(String field) {
    ContainerLog log = ContainerLog.of(pod(field, "'state':" + ENDED), "c", false, "");

    assertThat(text(log, window(true, null, null, null)))
        .isEqualTo(
            "2026-01-02T03:04:05Z Simulated container c of the image nginx:1 started. No process"
                + " runs in it.\n"
                + "2026-01-02T03:05:00Z Simulated container c ended with exit code 3: out of"
                + " luck\n");
    assertThat(log.over()).isTrue();
  }

  @Test
  void previousRun_isTheOneBeforeTheRestart() {
    MapNode pod = pod(RUNNING + ",'lastState':" + ENDED);

    assertThat(text(ContainerLog.of(pod, "c", true, ""), window(false, null, 1L, null)))
        .isEqualTo("Simulated container c ended with exit code 3: out of luck\n");
  }

  @Test
  void waitingContainer_hasTheLogOfItsLastRun() {
    MapNode pod = pod("'state':{'waiting':{'reason':'CrashLoopBackOff'}},'lastState':" + ENDED);

    assertThat(ContainerLog.of(pod, "c", false, "").over()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'state':{'waiting':{'reason':'ContainerCreating'}}|false|container \"c\" in pod \"p\" is"
            + " waiting to start: ContainerCreating",
        "'state':{}|false|container \"c\" in pod \"p\" is not available",
        "'state':{'running':{}}|true|previous terminated container \"c\" in pod \"p\" not found",
      })
  void containerThatHasNotRun_hasNoLog(String state, boolean previous, String expected) {
    assertThatThrownBy(() -> ContainerLog.of(pod(state), "c", previous, ""))
        .isInstanceOf(ApiException.class)
        .hasMessage(expected);
  }

  @Test
  void window_cutsTheLog() {
    ContainerLog log = ContainerLog.of(pod(RUNNING), "c", false, "one\ntwo\nthree\n");

    assertThat(text(log, window(false, null, 2L, null))).isEqualTo("two\nthree\n");
    assertThat(text(log, window(false, null, 0L, null))).isEmpty();
    assertThat(text(log, window(false, null, Long.MAX_VALUE, 5L))).isEqualTo("one\nt");
    assertThat(text(log, window(false, Instant.parse("2026-01-02T03:04:05Z"), null, null)))
        .isEqualTo("one\ntwo\nthree\n");
    assertThat(text(log, window(false, Instant.parse("2026-01-02T03:04:06Z"), null, null)))
        .isEmpty();
  }

  @Test
  void linesToldBefore_areNotToldAgain() {
    LogWindow window = window(false, null, 1L, 5L);

    assertThat(ContainerLog.of(pod(RUNNING), "c", false, "one\ntwo\n").bytes(window, 1, 4))
        .isEqualTo("t".getBytes(StandardCharsets.US_ASCII));
  }
}
