package dev.keelson.audit.event;

import dev.keelson.request.UserInfo;
import dev.keelson.value.GoQuote;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/**
 * The legacy format of the log: one line of {@code key="value"} pairs, as Kubernetes 1.13 writes it
 * (source: apiserver, audit/format.go).
 */
public final class LegacyLine {

  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder()
          .appendPattern("uuuu-MM-dd'T'HH:mm:ss")
          .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, /* decimalPoint= */ true)
          .appendLiteral('Z')
          .toFormatter(Locale.ROOT);

  private LegacyLine() {}

  /** The line without its newline. */
  public static byte[] of(Event event) {
    return text(event.fields()).getBytes(StandardCharsets.UTF_8);
  }

  static String text(EventFields event) {
    RequestFacts facts = event.request();
    UserInfo user = facts.user();
    Impersonated other = event.impersonation();
    ObjectReference reference = event.objectRef();
    ResponseStatus status = event.responseStatus();
    boolean named = user != null && !user.name().isEmpty();
    String groups =
        named && user != null && !user.groups().isEmpty() ? list(user.groups()) : "<none>";
    StringBuilder line = new StringBuilder(400);
    line.append(time(event)).append(" AUDIT: id=");
    quote(line, facts.auditId()).append(" stage=");
    quote(line, event.stage().word()).append(" ip=");
    quote(line, facts.sourceIps().isEmpty() ? "<unknown>" : facts.sourceIps().getFirst());
    quote(line.append(" method="), facts.verb()).append(" user=");
    quote(line, named && user != null ? user.name() : "<none>");
    quote(line.append(" groups="), groups).append(" as=");
    quote(line, other == null ? "<self>" : other.user().name()).append(" asgroups=");
    quote(
        line,
        other == null || other.user().groups().isEmpty()
            ? "<lookup>"
            : list(other.user().groups()));
    quote(line.append(" user-agent="), facts.userAgent()).append(" namespace=");
    boolean placed = reference != null && !reference.namespace().isEmpty();
    quote(line, placed && reference != null ? reference.namespace() : "<none>");
    quote(line.append(" uri="), facts.requestUri()).append(" response=\"");
    return line.append(status == null ? "<deferred>" : status.code()).append('"').toString();
  }

  /** RFC 3339 with as many decimals as there are, which is Go's RFC3339Nano. */
  private static String time(EventFields event) {
    Instant received = event.request().received().truncatedTo(ChronoUnit.MICROS);
    return TIME.format(LocalDateTime.ofInstant(received, ZoneOffset.UTC));
  }

  private static String list(List<String> values) {
    StringBuilder text = new StringBuilder();
    for (String value : values) {
      quote(text.append(text.isEmpty() ? "" : ","), value);
    }
    return text.toString();
  }

  /** Go's %q: printable characters as they are, others escaped, so that a line stays a line. */
  private static StringBuilder quote(StringBuilder text, String value) {
    text.append('"');
    value.codePoints().forEach(c -> character(text, c));
    return text.append('"');
  }

  private static void character(StringBuilder text, int c) {
    switch (c) {
      case '"', '\\' -> text.append('\\').append((char) c);
      case 7 -> text.append("\\a");
      case '\b' -> text.append("\\b");
      case '\f' -> text.append("\\f");
      case '\n' -> text.append("\\n");
      case '\r' -> text.append("\\r");
      case '\t' -> text.append("\\t");
      case 11 -> text.append("\\v");
      default -> {
        if (GoQuote.isPrintable(c)) {
          text.appendCodePoint(c);
        } else if (c < 128) {
          text.append(String.format(Locale.ROOT, "\\x%02x", c));
        } else if (c < 0x10000) {
          text.append(String.format(Locale.ROOT, "\\u%04x", c));
        } else {
          text.append(String.format(Locale.ROOT, "\\U%08x", c));
        }
      }
    }
  }
}
