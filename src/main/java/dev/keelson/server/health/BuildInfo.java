package dev.keelson.server.health;

import dev.keelson.http.health.Version;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Properties;

/** The version and build date, from a resource that the build writes. */
public final class BuildInfo {

  private static final String RESOURCE = "/keelson/build.properties";

  private BuildInfo() {}

  public static Version version() {
    Properties build = new Properties();
    try (InputStream in = BuildInfo.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException("missing resource " + RESOURCE);
      }
      build.load(in);
    } catch (IOException e) {
      throw new IllegalStateException(RESOURCE + " cannot be read", e);
    }
    String vm = System.getProperty("java.vm.name", "").toLowerCase(Locale.ROOT);
    return new Version(
        build.getProperty("version", ""),
        build.getProperty("commit", ""),
        build.getProperty("date", ""),
        platform(),
        "java" + System.getProperty("java.version", ""),
        vm.contains("substrate") ? "native-image" : "hotspot");
  }

  /** The platform as Go names it ({@code runtime.GOOS/GOARCH}). */
  private static String platform() {
    String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    String processor = System.getProperty("os.arch", "");
    return (os.startsWith("mac") ? "darwin" : os)
        + "/"
        + switch (processor) {
          case "x86_64" -> "amd64";
          case "aarch64" -> "arm64";
          default -> processor;
        };
  }
}
