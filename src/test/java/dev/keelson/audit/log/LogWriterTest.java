package dev.keelson.audit.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.audit.Events;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogWriterTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @Test
  void json_isOneObjectALine() throws IOException {
    write(LogFormat.JSON);

    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .hasSize(2)
        .allMatch(line -> line.startsWith("{\"kind\":\"Event\",") && line.endsWith("}"));
  }

  @Test
  void legacy_isOneTextALine() throws IOException {
    write(LogFormat.LEGACY);

    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .hasSize(2)
        .allMatch(line -> line.startsWith("2026-03-04T05:06:07.0809Z AUDIT: id="));
  }

  private void write(LogFormat format) throws IOException {
    try (LogWriter writer = new LogWriter(format, new StreamTarget(out))) {
      assertThat(writer.name()).isEqualTo("log");
      writer.write(List.of(Events.named("a"), Events.named("b")));
    }
  }
}
