package dev.keelson.server.log;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoField;
import java.util.logging.Level;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jboss.logmanager.ExtFormatter;
import org.jboss.logmanager.ExtLogRecord;

/**
 * A record as one JSON object with the keys of component-base's JSON: {@code ts} in milliseconds
 * since the epoch, {@code caller}, {@code msg}, {@code v} for information and more detail, {@code
 * err} for exceptions. A message of the form {@code event=NAME key=value} becomes the message NAME
 * with a field for each key.
 */
final class JsonLines extends ExtFormatter {

  private static final String EVENT = "event=";

  /** A key at the begin of a word; its value reaches up to the next. */
  private static final Pattern KEY = Pattern.compile("(?:^| )([A-Za-z][A-Za-z0-9_.-]*)=");

  private static final int DETAILED = 4;
  private static final int LIBRARIES = 8;
  private static final int NANOS_PER_MILLI = 1_000_000;

  @Override
  public String format(ExtLogRecord record) {
    MapNode line =
        MapNode.of("ts", new Node.Decimal(milliseconds(record.getInstant())))
            .with("caller", Node.text(category(record.getLoggerName())));
    int level = record.getLevel().intValue();
    if (level >= Level.SEVERE.intValue()) {
      line = line.with("level", Node.text("error"));
    } else if (level >= Level.WARNING.intValue()) {
      line = line.with("level", Node.text("warn")).with("v", new Node.Int(0));
    } else {
      line = line.with("v", new Node.Int(verbosity(level)));
    }
    line = described(line, formatMessage(record));
    Throwable thrown = record.getThrown();
    if (thrown != null) {
      StringWriter stack = new StringWriter();
      thrown.printStackTrace(new PrintWriter(stack));
      line =
          line.with("err", Node.text(thrown.toString()))
              .with("stacktrace", Node.text(stack.toString()));
    }
    return new String(ObjectWriter.json(line), StandardCharsets.UTF_8) + "\n";
  }

  private static String milliseconds(Instant time) {
    return time.toEpochMilli()
        + ".%06d".formatted(time.get(ChronoField.NANO_OF_SECOND) % NANOS_PER_MILLI);
  }

  /** The value of {@code --v} that shows the level. */
  private static int verbosity(int level) {
    if (level >= Level.INFO.intValue()) {
      return 0;
    }
    return level >= Level.FINE.intValue() ? DETAILED : LIBRARIES;
  }

  private static String category(String logger) {
    return logger.substring(logger.lastIndexOf('.') + 1);
  }

  private static MapNode described(MapNode line, String message) {
    if (!message.startsWith(EVENT)) {
      return line.with("msg", Node.text(message));
    }
    MapNode described = line;
    Matcher keys = KEY.matcher(message);
    boolean more = keys.find();
    while (more) {
      String key = keys.group(1);
      int begin = keys.end();
      more = keys.find();
      String value = message.substring(begin, more ? keys.start() : message.length());
      described = described.with(named(key), Node.text(unquoted(value)));
    }
    return described;
  }

  /** The event is the message; a field does not replace what the line says of itself. */
  private static String named(String key) {
    return switch (key) {
      case "event" -> "msg";
      case "ts", "caller", "level", "v", "msg", "err", "stacktrace" -> key + "_";
      default -> key;
    };
  }

  private static String unquoted(String value) {
    boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
    return quoted ? value.substring(1, value.length() - 1) : value;
  }
}
