package dev.keelson.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnpackedVersionsTest {

  private static final long NOW = System.currentTimeMillis();

  @TempDir private Path versions;

  private Path version(String name, int days) throws IOException {
    Path version = Files.createDirectories(versions.resolve(name).resolve("jars")).getParent();
    Files.writeString(version.resolve("jars/a.jar"), "a");
    Files.writeString(version.resolve("start.bin"), "b");
    version.toFile().setLastModified(NOW - TimeUnit.DAYS.toMillis(days));
    return version;
  }

  private List<String> left() throws IOException {
    try (Stream<Path> all = Files.list(versions)) {
      return all.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void versionsThatWereNotUsedForAMonth_areRemoved() throws IOException {
    version("old", 31);
    version("new123", 40);
    version("recent", 29);
    Path used = version("used", 35);
    Files.writeString(versions.resolve("file"), "of somebody else");
    Path other = Files.createDirectory(versions.resolve("other"));
    Files.writeString(other.resolve("file"), "of somebody else");
    other.toFile().setLastModified(NOW - TimeUnit.DAYS.toMillis(100));

    UnpackedVersions.used(used, NOW);
    UnpackedVersions.removeUnused(versions, NOW);

    assertThat(left()).containsExactly("file", "other", "recent", "used");
  }
}
