package dev.keelson.audit.trail.sqlite;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.audit.trail.TrailException;
import dev.keelson.audit.trail.TrailStore;
import dev.keelson.audit.trail.TrailStoreContract;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SqliteTrailTest extends TrailStoreContract {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  @TempDir Path directory;

  @Override
  protected TrailStore open() throws TrailException {
    return SqliteTrail.open(directory.resolve("trail.db"), TIMEOUT);
  }

  @Test
  void open_ofAnotherProgramsDatabase_fails() throws Exception {
    Path foreign = directory.resolve("foreign.db");
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + foreign);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE theirs (a)");
    }

    assertThatThrownBy(() -> SqliteTrail.open(foreign, TIMEOUT))
        .hasMessageContaining("is a database of another program");
  }

  @Test
  void open_ofANewerFile_fails() throws Exception {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("trail.db"));
        Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA user_version = 99");
    }

    assertThatThrownBy(this::open).hasMessageContaining("version 99");
  }

  @Test
  void open_ofWhatIsNoDatabase_fails() throws Exception {
    Path text = directory.resolve("text.db");
    Files.writeString(text, "no database ".repeat(1000));

    assertThatThrownBy(() -> SqliteTrail.open(text, TIMEOUT)).isInstanceOf(TrailException.class);
  }
}
