package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.KeelsonProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Errors of flags as processes see them: before Quarkus, in one line, with an exit code. */
@Timeout(300)
class FlagErrorIT {

  @TempDir private Path directory;

  private record Ended(int exitCode, List<String> out, List<String> err) {}

  @Test
  void malformedFlag_endsWithOneLineAndCode1() throws Exception {
    Ended ended = run("", "--secure-port=x");

    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.out()).isEmpty();
    assertThat(ended.err())
        .containsExactly(
            "Error: invalid argument \"x\" for \"--secure-port\" flag: strconv.ParseInt: parsing"
                + " \"x\": invalid syntax; see keelson --help");
  }

  @Test
  void fileThatDoesNotExist_endsWithOneLineThatNamesTheFlag() throws Exception {
    Ended ended = run("", "--client-ca-file=/nope");

    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.err())
        .containsExactly("Error: --client-ca-file: file /nope does not exist; see keelson --help");
  }

  @Test
  void certificateThatCannotBeUsed_endsWithOneLineAndCode1() throws Exception {
    Path empty = Files.createFile(directory.resolve("empty.pem"));

    Ended ended =
        run(
            "",
            "--data-dir=" + directory.resolve("data"),
            "--tls-cert-file=" + empty,
            "--tls-private-key-file=" + empty);

    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.out()).isEmpty();
    assertThat(ended.err())
        .singleElement()
        .asString()
        .startsWith("keelson: --tls-cert-file, --tls-private-key-file: ")
        .contains("empty.pem");
  }

  @Test
  void originThatIsNoExpression_endsWithOneLineAndCode1() throws Exception {
    Ended ended =
        run("", "--data-dir=" + directory.resolve("data"), "--cors-allowed-origins=https://(a");

    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.out()).isEmpty();
    assertThat(ended.err())
        .singleElement()
        .asString()
        .startsWith("keelson: --cors-allowed-origins: ")
        .contains("https://(a");
  }

  @Test
  void malformedFlag_loadsNothingOfQuarkus() throws Exception {
    Assumptions.assumeFalse(
        KeelsonProcess.isNative(), "a native executable does not log what it loads");
    Path loaded = directory.resolve("loaded.txt");

    Ended ended = run(KeelsonProcess.loggingClasses(loaded), "--secure-port=x");

    assertThat(ended.exitCode()).isEqualTo(1);
    try (Stream<String> lines = Files.lines(loaded)) {
      List<String> classes =
          lines.map(line -> line.substring(line.lastIndexOf(']') + 1).strip()).toList();
      assertThat(classes).anyMatch(name -> name.startsWith("dev.keelson.server.Main "));
      assertThat(classes)
          .filteredOn(name -> name.startsWith("io.quarkus.") && !bootstrap(name))
          .isEmpty();
      assertThat(classes).filteredOn(name -> name.startsWith("io.vertx.")).isEmpty();
    }
  }

  @Test
  void flagsOfKeelson_loadNoTableOfKubernetes() throws Exception {
    Assumptions.assumeFalse(
        KeelsonProcess.isNative(), "a native executable does not log what it loads");
    Path loaded = directory.resolve("loaded.txt");

    Ended ended = run(KeelsonProcess.loggingClasses(loaded), "--v=0", "--secure-port=70000");

    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(Files.readString(loaded))
        .contains("dev.keelson.config.Flags ")
        .doesNotContain("dev.keelson.config.kubernetes.KubernetesFlags ");
  }

  @Test
  void flagWithoutEffect_isToldInOneLine_andOneThatIsRefusedEndsTheStart() throws Exception {
    Ended ended = run("", "--profiling=true", "--egress-selector-config-file=/x");

    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.err())
        .containsExactly(
            "Error: --egress-selector-config-file is not supported: connections to nodes, webhooks"
                + " and etcd would bypass the proxies; see keelson --help");
    Ended told = run("", "--contention-profiling=true", "--data-dir=/proc/none");
    assertThat(told.err())
        .first()
        .isEqualTo(
            "Warning: --contention-profiling has no effect: recordings at /debug/pprof/jfr show"
                + " contention in any case");
  }

  @Test
  void helpAndVersion_haveTheFormOfKubernetes() throws Exception {
    assertThat(run("", "--help").out())
        .contains("Usage:", "  keelson [flags]", "Serving flags:", "Global flags:")
        .anyMatch(line -> line.startsWith("      --secure-port PORT "))
        .anyMatch(line -> line.startsWith("  -v, --v LEVEL "));
    assertThat(run("", "--version=raw").out())
        .singleElement()
        .asString()
        .startsWith("version.Info{Major:\"1\", Minor:\"36\", ");
  }

  /** The class path reader and the logging of the packaged application, and their lambdas. */
  private static boolean bootstrap(String loaded) {
    return loaded.contains("/lib/boot/") || loaded.startsWith("io.quarkus.bootstrap.");
  }

  private Ended run(String javaOptions, String... flags) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of("bin", "keelson").toAbsolutePath().toString());
    command.addAll(List.of(flags));
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("KEELSON_"));
    builder.environment().put("KEELSON_RUNTIME", KeelsonProcess.isNative() ? "native" : "jvm");
    builder.environment().put("KEELSON_JAVA_OPTS", javaOptions);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    int code = builder.start().waitFor();
    return new Ended(
        code,
        Files.readAllLines(out, StandardCharsets.UTF_8),
        Files.readAllLines(err, StandardCharsets.UTF_8));
  }
}
