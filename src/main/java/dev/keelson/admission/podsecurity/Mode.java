package dev.keelson.admission.podsecurity;

import java.util.Locale;

/** What follows from a violation. */
public enum Mode {
  /** The request is rejected. */
  ENFORCE,
  /** The audit event has an annotation. */
  AUDIT,
  /** The response has a warning. */
  WARN;

  /** The name in metrics. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
