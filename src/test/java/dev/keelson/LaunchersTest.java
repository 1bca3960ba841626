package dev.keelson;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The options without which a server is not to be started, in every place that starts one. */
class LaunchersTest {

  @ParameterizedTest
  @CsvSource({
    "bin/keelson, -XX:+ExitOnOutOfMemoryError",
    "src/main/docker/Dockerfile.jvm, -XX:+ExitOnOutOfMemoryError",
    // the native executable has it from its build
    "pom.xml, -R:+ExitOnOutOfMemoryError"
  })
  void exhaustedMemory_endsTheProcess(String launcher, String option) throws IOException {
    assertThat(Files.readString(Path.of(launcher)))
        .containsPattern("(?m)^[^#\\n]*" + Pattern.quote(option));
  }
}
