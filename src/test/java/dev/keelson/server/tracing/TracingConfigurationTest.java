package dev.keelson.server.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.server.lifecycle.StartupException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TracingConfigurationTest {

  private static TracingConfiguration parse(String version, String rest) {
    return TracingConfiguration.parse(
        ("apiVersion: apiserver.config.k8s.io/" + version + "\nkind: TracingConfiguration\n" + rest)
            .getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1", "v1beta1", "v1alpha1"})
  void parse_emptyConfiguration_hasKubernetesDefaults(String version) {
    assertThat(parse(version, "")).isEqualTo(new TracingConfiguration("localhost:4317", 0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "collector:4317",
        "dns:///collector:4317",
        "unix:///run/collector.sock",
        "127.0.0.1:4317"
      })
  void parse_endpointOfGrpc_isTaken(String endpoint) {
    assertThat(parse("v1", "endpoint: " + endpoint + "\nsamplingRatePerMillion: 1000000"))
        .isEqualTo(new TracingConfiguration(endpoint, 1_000_000));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "samplingRatePerMillion: -1|samplingRatePerMillion: Invalid value: -1: sampling rate must"
            + " be positive",
        "samplingRatePerMillion: 1000001|samplingRatePerMillion: Invalid value: 1000001: sampling"
            + " rate per million must be less than or equal to one million",
        "samplingRatePerMillion: often|samplingRatePerMillion: expected a 32-bit integer",
        "endpoint: http://collector:4317|endpoint: Invalid value: \"http://collector:4317\":"
            + " unsupported scheme: http.",
        "endpoint: unix-abstract://x|endpoint: Invalid value: \"unix-abstract://x\": the JDK",
        "endpoint: 4317|endpoint: expected a string",
        "rate: 1|strict decoding error: unknown field \"rate\""
      })
  void parse_invalidField_isNamed(String yaml, String problem) {
    assertThatThrownBy(() -> parse("v1", yaml))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(problem);
  }

  @Test
  void parse_duplicateField_isAnError() {
    assertThatThrownBy(() -> parse("v1", "endpoint: a:1\nendpoint: b:2"))
        .hasMessageContaining("strict decoding error")
        .hasMessageContaining("\"endpoint\"");
  }

  @Test
  void parse_otherVersion_isRefused() {
    assertThatThrownBy(() -> parse("v2", ""))
        .hasMessageContaining("no kind \"TracingConfiguration\" is registered for version");
  }

  @Test
  void read_invalidFile_namesTheFlag(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("tracing.yaml"), "kind: Other\n");

    assertThatThrownBy(() -> TracingConfiguration.read(file))
        .isInstanceOf(StartupException.class)
        .hasMessageStartingWith("--tracing-config-file " + file + ": ");
  }
}
