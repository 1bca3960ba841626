package dev.keelson.audit.trail.postgresql;

import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.flywaydb.core.api.ResourceProvider;
import org.flywaydb.core.api.resource.LoadableResource;
import org.jspecify.annotations.Nullable;

/**
 * The migrations of the trail by their names: a native executable has no class path to search. A
 * file is never changed after its release.
 */
final class MigrationFiles implements ResourceProvider {

  private static final String DIRECTORY = "db/migration/";

  private static final List<LoadableResource> FILES = List.of(new File("V1__audit_event.sql"));

  @Override
  public @Nullable LoadableResource getResource(String name) {
    return FILES.stream()
        .filter(file -> file.getRelativePath().equals(name))
        .findFirst()
        .orElse(null);
  }

  @Override
  public Collection<LoadableResource> getResources(String prefix, String[] suffixes) {
    return FILES.stream()
        .filter(file -> file.getFilename().startsWith(prefix))
        .filter(file -> Arrays.stream(suffixes).anyMatch(file.getFilename()::endsWith))
        .toList();
  }

  private static final class File extends LoadableResource {

    private final String name;

    File(String name) {
      this.name = name;
    }

    @Override
    public Reader read() {
      InputStream stream =
          MigrationFiles.class.getClassLoader().getResourceAsStream(DIRECTORY + name);
      if (stream == null) {
        throw new IllegalStateException("the program lacks " + DIRECTORY + name);
      }
      return new InputStreamReader(stream, StandardCharsets.UTF_8);
    }

    @Override
    public String getAbsolutePath() {
      return DIRECTORY + name;
    }

    @Override
    public String getAbsolutePathOnDisk() {
      return DIRECTORY + name;
    }

    @Override
    public String getFilename() {
      return name;
    }

    @Override
    public String getRelativePath() {
      return name;
    }
  }
}
