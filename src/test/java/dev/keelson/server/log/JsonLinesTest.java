package dev.keelson.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.logging.Level;
import org.jboss.logmanager.ExtLogRecord;
import org.junit.jupiter.api.Test;

class JsonLinesTest {

  private static ExtLogRecord record(Level level, String message) {
    ExtLogRecord record = new ExtLogRecord(level, message, "test");
    record.setLoggerName("dev.keelson.server.Thing");
    record.setInstant(Instant.parse("2026-01-02T03:04:05.006007008Z"));
    return record;
  }

  private static String line(ExtLogRecord record) {
    return new JsonLines().format(record);
  }

  @Test
  void format_event_isMessageAndFields() {
    assertThat(line(record(Level.INFO, "event=compacted rev=7 error=it is \"so\" took=3ms")))
        .isEqualTo(
            "{\"ts\":1767323045006.007008,\"caller\":\"Thing\",\"v\":0,\"msg\":\"compacted\","
                + "\"rev\":\"7\",\"error\":\"it is \\\"so\\\"\",\"took\":\"3ms\"}\n");
  }

  @Test
  void format_sentence_isTheMessage() {
    assertThat(line(record(Level.WARNING, "a line\nand = another")))
        .contains("\"level\":\"warn\",\"v\":0,\"msg\":\"a line\\nand = another\"}")
        .hasLineCount(1);
  }

  @Test
  void format_detail_hasItsVerbosity() {
    assertThat(line(record(Level.FINE, "x"))).contains("\"v\":4,");
    assertThat(line(record(Level.FINER, "x"))).contains("\"v\":8,");
  }

  @Test
  void format_error_hasNoVerbosity_butTheException() {
    ExtLogRecord record = record(Level.SEVERE, "event=failed msg=two");
    record.setThrown(new IllegalStateException("why"));

    assertThat(line(record))
        .contains("\"level\":\"error\",\"msg\":\"failed\",\"msg_\":\"two\"")
        .contains("\"err\":\"java.lang.IllegalStateException: why\"")
        .doesNotContain("\"v\":");
  }
}
