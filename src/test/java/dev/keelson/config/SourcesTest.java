package dev.keelson.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.config.flag.FlagException;
import dev.keelson.config.option.ServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourcesTest {

  @TempDir Path directory;

  @Test
  void sources_areAskedInOrder() throws IOException {
    Path file = write("c.yaml", "secure-port: 3\nv: 3\nmax-requests-inflight: 3\n");

    ServerOptions options =
        options(
            List.of("--config=" + file, "--secure-port=1"),
            Map.of("KEELSON_SECURE_PORT", "2", "KEELSON_V", "2"));

    assertThat(options.serving().port()).isEqualTo(1);
    assertThat(options.verbosity()).isEqualTo(2);
    assertThat(options.limits().maxReads()).isEqualTo(3);
    assertThat(options.limits().maxWrites()).isEqualTo(200);
  }

  @Test
  void file_mayBeNamedByTheEnvironment() throws IOException {
    Path file = write("c.yaml", "secure-port: 3\n");

    assertThat(options(List.of(), Map.of("KEELSON_CONFIG", file.toString())).serving().port())
        .isEqualTo(3);
  }

  @Test
  void properties_areRead() throws IOException {
    Path file = write("c.properties", "# a comment\nsecure-port = 7\nextra-san = a,b\n");

    ServerOptions options = options(List.of("--config", file.toString()), Map.of());

    assertThat(options.serving().port()).isEqualTo(7);
    assertThat(options.serving().extraNames()).containsExactly("a", "b");
  }

  @Test
  void yamlList_isAListOfValues() throws IOException {
    Path file = write("c.yaml", "extra-san:\n- a.example\n- 10.0.0.1\n");

    assertThat(options(List.of("--config=" + file), Map.of()).serving().extraNames())
        .containsExactly("a.example", "10.0.0.1");
  }

  @Test
  void emptyFile_setsNothing() throws IOException {
    Path file = write("c.yaml", "# nothing\n");

    assertThat(options(List.of("--config=" + file), Map.of()).serving().port()).isEqualTo(6443);
  }

  @Test
  void unknownKey_isRefusedWithTheNearest() throws IOException {
    Path file = write("c.yaml", "secure-prot: 1\n");

    assertRefused(
        file, "--config: " + file + ": unknown key \"secure-prot\"; did you mean secure-port?");
  }

  @Test
  void malformedValue_isRefusedByKey() throws IOException {
    Path file = write("c.yaml", "secure-port: many\n");

    assertRefused(
        file,
        "secure-port in the --config file: strconv.ParseInt: parsing \"many\": invalid syntax");
  }

  @Test
  void nestedValue_isRefused() throws IOException {
    Path file = write("c.yaml", "secure-port: {a: b}\n");

    assertRefused(
        file, "--config: " + file + ": secure-port: expected a value or a list of values");
  }

  @Test
  void fileThatNamesAFile_isRefused() throws IOException {
    Path file = write("c.yaml", "config: other.yaml\n");

    assertThatThrownBy(() -> options(List.of("--config=" + file), Map.of()))
        .isInstanceOf(FlagException.class)
        .hasMessageContaining("unknown key \"config\"");
  }

  @Test
  void brokenYaml_isRefused() throws IOException {
    Path file = write("c.yaml", "a: [\n");

    assertThatThrownBy(() -> options(List.of("--config=" + file), Map.of()))
        .isInstanceOf(FlagException.class)
        .hasMessageStartingWith("--config: " + file + " is not YAML: ");
  }

  @Test
  void unknownVariable_isRefusedWithTheNearest() {
    assertThatThrownBy(() -> options(List.of(), Map.of("KEELSON_DATADIR", "x")))
        .isInstanceOf(FlagException.class)
        .hasMessage("unknown environment variable KEELSON_DATADIR; did you mean KEELSON_DATA_DIR?");
  }

  @Test
  void malformedVariable_isRefusedByName() {
    assertThatThrownBy(() -> options(List.of(), Map.of("KEELSON_V", "loud")))
        .isInstanceOf(FlagException.class)
        .hasMessage("KEELSON_V: strconv.ParseInt: parsing \"loud\": invalid syntax");
  }

  @Test
  void variablesOfAKubernetesService_areLeftAlone() {
    Map<String, String> variables =
        Map.of(
            "KEELSON_SERVICE_HOST", "10.0.0.1",
            "KEELSON_SERVICE_PORT", "443",
            "KEELSON_SERVICE_PORT_HTTPS", "443",
            "KEELSON_PORT", "tcp://10.0.0.1:443",
            "KEELSON_PORT_443_TCP", "tcp://10.0.0.1:443",
            "KEELSON_PORT_443_TCP_ADDR", "10.0.0.1",
            "KEELSON_ETCD_SERVICE_HOST", "10.0.0.2",
            "OTHER", "x");

    assertThat(options(List.of(), variables).serving().port()).isEqualTo(6443);
  }

  private void assertRefused(Path file, String message) {
    assertThatThrownBy(() -> options(List.of("--config=" + file), Map.of()))
        .isInstanceOf(FlagException.class)
        .hasMessage(message);
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  private static ServerOptions options(List<String> arguments, Map<String, String> variables) {
    return ((Flags.Wish.Run) new Flags().read(arguments, variables)).options();
  }

  @Test
  void binaryFile_isNamedAsNotUtf8() throws IOException {
    Path file = Files.write(directory.resolve("binary.yaml"), new byte[] {(byte) 0xff, 0, 1});

    assertThatThrownBy(() -> new Flags().read(List.of("--config=" + file), Map.of()))
        .isInstanceOf(FlagException.class)
        .hasMessage("--config: " + file + " is not UTF-8");
  }
}
