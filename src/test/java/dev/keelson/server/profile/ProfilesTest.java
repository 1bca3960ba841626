package dev.keelson.server.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Body;
import dev.keelson.http.Query;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProfilesTest {

  private final Profiles profiles = Profiles.ofProcess();

  private ApiResponse get(String path, Map<String, List<String>> query) {
    return profiles
        .answer(
            new ApiRequest(
                "GET", path, new Query(query), Map.of(), new byte[0], List.of(), "127.0.0.1:1"))
        .orElseThrow();
  }

  @Test
  void recording_ofASecond_isReadable_andOnlyOneAtATime(@TempDir Path directory)
      throws IOException, InterruptedException {
    Map<String, List<String>> second = Map.of("seconds", List.of("1"));
    Body.Streamed body = (Body.Streamed) get("/debug/pprof/jfr", second).body();

    assertThatThrownBy(() -> get("/debug/pprof/jfr", second))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.reason()).isEqualTo(Reason.TOO_MANY_REQUESTS));
    ByteArrayOutputStream recorded = new ByteArrayOutputStream();
    body.writeTo(part -> recorded.writeBytes(part.toByteArray()));

    Path file = Files.write(directory.resolve("x.jfr"), recorded.toByteArray());
    assertThat(RecordingFile.readAllEvents(file)).isNotEmpty();
    Body.Streamed next = (Body.Streamed) get("/debug/pprof/jfr", second).body();
    next.abandon();
    get("/debug/pprof/jfr", second);
  }

  @Test
  void threads_haveTheirStacks() {
    String dump =
        new String(
            ((Body.Payload) get("/debug/pprof/goroutine", Map.of()).body()).toByteArray(),
            StandardCharsets.UTF_8);

    assertThat(dump).contains("ProfilesTest.threads_haveTheirStacks");
    assertThat(Profiles.platformThreads()).contains("ProfilesTest.threads_haveTheirStacks");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "61", "-1", "x", "1.5", "99999999999"})
  void seconds_outsideOfTheirRange_areRefused(String text) {
    assertThatThrownBy(() -> Profiles.seconds(text))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.reason()).isEqualTo(Reason.BAD_REQUEST));
  }

  @Test
  void seconds_areThirtyByDefault() {
    assertThat(Profiles.seconds("")).isEqualTo(Duration.ofSeconds(30));
    assertThat(Profiles.seconds("60")).isEqualTo(Duration.ofSeconds(60));
  }
}
