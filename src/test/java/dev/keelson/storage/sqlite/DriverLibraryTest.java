package dev.keelson.storage.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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

  @Test
  void storesOfTwoClassLoaders_areOpenInOneProcess(@TempDir Path directory) throws Exception {
    List<URL> classPath = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      classPath.add(Path.of(entry).toUri().toURL());
    }
    InstantSource clock = InstantSource.system();
    try (SqliteStore first =
            SqliteStore.open(SqliteOptions.defaults(directory.resolve("a.db")), clock);
        URLClassLoader loader =
            new URLClassLoader(
                classPath.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      Class<?> options = loader.loadClass(SqliteOptions.class.getName());
      Object other =
          loader
              .loadClass(SqliteStore.class.getName())
              .getMethod("open", options, InstantSource.class)
              .invoke(
                  null,
                  options
                      .getMethod("defaults", Path.class)
                      .invoke(null, directory.resolve("other/b.db")),
                  clock);

      try (AutoCloseable second = (AutoCloseable) other) {
        assertThat(second.getClass()).isNotEqualTo(first.getClass());
        assertThat(first.revision()).isPositive();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"Linux, riscv64", "Linux, ppc64le", "Mac OS X, aarch64", "Windows 11, amd64"})
  void resource_elsewhere_isLeftToTheDriver(String system, String architecture) {
    assertThat(DriverLibrary.resource(system, architecture)).isNull();
  }
}
