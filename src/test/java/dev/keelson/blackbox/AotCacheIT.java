package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.keelson.testing.KeelsonProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The JVM build starts from the classes of its training run where it can. */
@Timeout(60)
class AotCacheIT {

  @BeforeAll
  static void onlyTheJvmBuildHasOne() {
    assumeFalse(KeelsonProcess.isNative());
  }

  private static String version(String options) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(Path.of("bin", "keelson").toString(), "--version")
            .redirectErrorStream(true);
    builder.environment().put("KEELSON_RUNTIME", "jvm");
    builder.environment().put("KEELSON_JAVA_OPTS", options);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    process.getOutputStream().close();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void classes_areLoadedFromTheCache() throws IOException {
    assertThat(version("-Xlog:class+load"))
        .contains("dev.keelson.server.Main source: shared objects file");
  }

  @Test
  void jvmThatCannotUseTheCache_saysNothing() throws IOException {
    assertThat(version("-XX:-UseCompactObjectHeaders")).matches("[^\\n]*0\\.1[^\\n]*\\n");
  }
}
