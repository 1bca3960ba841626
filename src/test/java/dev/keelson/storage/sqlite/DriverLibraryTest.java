package dev.keelson.storage.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sqlite.SQLiteConfig;

class DriverLibraryTest {

  @ParameterizedTest
  @CsvSource({"amd64, x86_64", "x86_64, x86_64", "aarch64, aarch64"})
  void resource_onLinuxWithoutMusl_isOneOfTheDriver(String architecture, String directory) {
    assumeThat(Files.exists(Path.of("/lib/ld-musl-" + directory + ".so.1"))).isFalse();

    String resource = DriverLibrary.resource("Linux", architecture);

    assertThat(resource)
        .isNotNull()
        .satisfies(name -> assertThat(SQLiteConfig.class.getResource(name)).isNotNull())
        .contains("/Linux/" + directory + "/");
  }

  @ParameterizedTest
  @CsvSource({"Linux, riscv64", "Linux, ppc64le", "Mac OS X, aarch64", "Windows 11, amd64"})
  void resource_elsewhere_isLeftToTheDriver(String system, String architecture) {
    assertThat(DriverLibrary.resource(system, architecture)).isNull();
  }
}
