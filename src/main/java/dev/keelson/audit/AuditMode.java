package dev.keelson.audit;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** How sure a back end is before a request goes on. */
public enum AuditMode {
  /** Events are buffered and written later; what does not fit is dropped and counted. */
  BATCH("batch"),
  /** A request waits until its event is written; a failure is counted, and the request goes on. */
  BLOCKING("blocking"),
  /** As blocking, but a request whose event cannot be written fails. */
  BLOCKING_STRICT("blocking-strict");

  private final String word;

  AuditMode(String word) {
    this.word = word;
  }

  /** The value of the flags that stands for this mode. */
  public String word() {
    return word;
  }

  /** The mode of a flag's value, or empty. */
  public static Optional<AuditMode> of(String word) {
    return Stream.of(values()).filter(mode -> mode.word.equals(word)).findFirst();
  }

  /** The values of the flags. */
  public static List<String> words() {
    return Stream.of(values()).map(AuditMode::word).toList();
  }
}
