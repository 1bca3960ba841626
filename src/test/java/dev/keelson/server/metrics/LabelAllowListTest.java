package dev.keelson.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.config.Flags;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.option.WebOptions;
import dev.keelson.http.health.Metrics;
import dev.keelson.server.lifecycle.StartupException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LabelAllowListTest {

  private static WebOptions options(String... flags) {
    if (new Flags().read(List.of(flags), Map.of()) instanceof Flags.Wish.Run run) {
      return run.options().web();
    }
    throw new AssertionError("no wish to run");
  }

  private static String text(LabelAllowList labels) {
    Metrics metrics = new Metrics(Set.of(), labels.filter());
    for (String verb : List.of("GET", "BREW", "PROPFIND")) {
      metrics.count("requests_total", "Requests.", Map.of("verb", verb, "code", "200"));
    }
    metrics.count("others_total", "Others.", Map.of("verb", "BREW"));
    metrics.time("took", "Time.", Map.of("verb", "BREW"), List.of(), Duration.ofSeconds(1));
    return metrics.answer().body();
  }

  @Test
  void otherValues_areCountedTogether() {
    String text = text(LabelAllowList.of(options("--allow-metric-labels=requests_total,verb=GET")));

    assertThat(text)
        .contains("requests_total{code=\"200\",verb=\"GET\"} 1")
        .contains("requests_total{code=\"200\",verb=\"unexpected\"} 2")
        .contains("others_total{verb=\"BREW\"} 1")
        .contains("took_seconds_count{verb=\"BREW\"} 1");
  }

  @Test
  void timer_isNamedWithItsUnit() {
    assertThat(text(LabelAllowList.of(options("--allow-metric-labels=took_seconds,verb=A,B,A"))))
        .contains("took_seconds_count{verb=\"unexpected\"} 1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '~',
      value = {
        "a,b=v1,v2; {a,b=v1,v2}",
        "\"a,b=v1,v2\"; {a,b=v1,v2}",
        "\"a,b=v1\",\"c,d=v2,v3\"; {a,b=v1, c,d=v2,v3}",
        "a:x,b=; {a:x,b=}"
      })
  void pairs_areReadAsPflagReadsMaps(String flag, String expected) {
    assertThat(new TreeMap<>(options("--allow-metric-labels=" + flag).metricLabels()))
        .hasToString(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "a=b", "a,b", "1a,b=c", "a,b c=d", "\"a,b=c\",d=e"})
  void otherText_isRefused(String flag) {
    assertThatThrownBy(() -> options("--allow-metric-labels=" + flag))
        .isInstanceOf(FlagException.class)
        .hasMessageContaining("--allow-metric-labels");
  }

  @Test
  void file_hasPairs_andTheFlagWins(@TempDir Path directory) throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("labels.yaml"),
            "requests_total,verb: PUT\nrequests_total,code: '404'\n");

    String text =
        text(
            LabelAllowList.of(
                options(
                    "--allow-metric-labels-manifest=" + file,
                    "--allow-metric-labels=requests_total,verb=GET")));

    assertThat(text).contains("requests_total{code=\"unexpected\",verb=\"GET\"} 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"- a", "a: b", "'a,b': [c]", "{"})
  void invalidFile_isRefused(String content, @TempDir Path directory) throws Exception {
    WebOptions options =
        options(
            "--allow-metric-labels-manifest="
                + Files.writeString(directory.resolve("labels.yaml"), content));

    assertThatThrownBy(() -> LabelAllowList.of(options))
        .isInstanceOf(StartupException.class)
        .hasMessageContaining("--allow-metric-labels-manifest");
  }
}
